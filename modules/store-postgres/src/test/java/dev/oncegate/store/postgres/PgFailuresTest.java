package dev.oncegate.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PgFailuresTest {
  @ParameterizedTest
  @ValueSource(strings = {"55P03", "40001", "40P01", "57014", "57P01", "57P02", "57P03", "08006"})
  void thingsThatMayGoOtherwiseNextTime_areAskedAgain(String state) {
    assertThat(PgFailures.worthAskingAgain(refused(state))).isTrue();
    assertThat(PgFailures.translated(refused(state))).isInstanceOf(StoreUnavailable.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"25006", "53100", "53300", "55000", "42P01", "42501", "XX001", "58030"})
  void serverThatCannot_isUnavailable(String state) {
    assertThat(PgFailures.worthAskingAgain(refused(state))).isFalse();
    assertThat(PgFailures.translated(refused(state))).isInstanceOf(StoreUnavailable.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"23514", "23502", "22021"})
  void writeThatMustNeverBe_isABrokenInvariant(String state) {
    assertThat(PgFailures.worthAskingAgain(refused(state))).isFalse();
    assertThat(PgFailures.translated(refused(state))).isInstanceOf(BrokenInvariant.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"23514", "53100"})
  void translatedFailure_quotesNoRow(String state) {
    Throwable translated = PgFailures.translated(refused(state));
    assertThat(translated).hasStackTraceContaining(state);
    assertThat(stackTrace(translated)).doesNotContain("secret row");
  }

  @Test
  void readOnlyServer_costsTheConnectionAndARefusedRowDoesNot() {
    assertThat(PgFailures.spoilsConnection(refused("25006"))).isTrue();
    assertThat(PgFailures.spoilsConnection(refused("57P01"))).isTrue();
    assertThat(PgFailures.spoilsConnection(refused("23514"))).isFalse();
    assertThat(PgFailures.spoilsConnection(refused("55P03"))).isFalse();
  }

  @Test
  void knownVersion_isThatOfTheLastScript() throws IOException, URISyntaxException {
    Path scripts = Path.of(getClass().getResource("/db/migration").toURI());
    try (Stream<Path> files = Files.list(scripts)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf('_'))))
                  .max())
          .hasValue(SchemaMigrator.VERSION);
    }
  }

  private static PgException refused(String state) {
    return new PgException("refused", "ERROR", state, "Failing row contains (secret row).");
  }

  private static String stackTrace(Throwable failure) {
    java.io.StringWriter text = new java.io.StringWriter();
    failure.printStackTrace(new java.io.PrintWriter(text));
    return text.toString();
  }
}

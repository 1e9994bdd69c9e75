package dev.oncegate.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The sweep finds what is due in the index, in its order, and changes it by id: at every size. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PgUpkeepPlansIT {
  private static PgFixture fixture;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgUpkeepPlansIT.class);
    fixture.database.execute("vacuum analyze");
    fixture.database.execute(Seeds.completed("full", 95_000, "1 hour", 86_400_000, 86_400_000));
    fixture.database.execute(Seeds.expired("tombs", 5_000, "1 hour", 60_000, 86_400_000));
    fixture.database.execute(
        "update record set due_at = completed_at + random() * interval '1 day'");
    fixture.database.execute(
        "insert into body select id, 'b' from record where get_byte(id, 0) < 50");
    fixture.database.execute(
        "insert into timeline (id, tenant, token, at, kind, by_whom, said)"
            + " select id, tenant, token, now() - random() * interval '9 days', 'unknown',"
            + " 'owner', '' from record where get_byte(id, 0) < 50");
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  static Stream<String> sweeps() {
    return Stream.of(UpkeepSql.LAPSE, UpkeepSql.TAKE, UpkeepSql.EXPIRE, UpkeepSql.FORGET);
  }

  static Stream<String> verdicts() {
    return Stream.of(ResolveSql.APPLIED, ResolveSql.NOT_APPLIED, ResolveSql.UNDECIDED);
  }

  /** The statistics still say that there is nothing. */
  @ParameterizedTest
  @MethodSource("sweeps")
  @Order(1)
  void tableThatHasGrown_isSweptByIndex(String sql) throws SQLException {
    isSweptByIndex(plan(sql));
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  @Order(1)
  void tableThatHasGrown_verdictLooksUpItsRowById(String sql) throws SQLException {
    looksUpItsRowById(plan(sql));
  }

  @Test
  @Order(2)
  void statisticsAreTaken() {
    fixture.database.execute("vacuum analyze");
  }

  @ParameterizedTest
  @MethodSource("sweeps")
  @Order(3)
  void knownTable_isSweptByIndex(String sql) throws SQLException {
    isSweptByIndex(plan(sql));
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  @Order(3)
  void knownTable_verdictLooksUpItsRowById(String sql) throws SQLException {
    looksUpItsRowById(plan(sql));
  }

  @Test
  @Order(3)
  void trim_goesByAgeAndLooksUpRecordsById() throws SQLException {
    String plan = plan(UpkeepSql.TRIM);
    assertThat(plan).contains("using timeline_age").containsPattern("record_[0-9]_pkey");
    noScan(plan);
  }

  private static void looksUpItsRowById(String plan) {
    assertThat(plan).containsPattern("Index Scan using record_[0-9]_pkey");
    noScan(plan);
    assertThat(plan).doesNotContain("state_due_at_idx");
  }

  private static void isSweptByIndex(String plan) {
    assertThat(plan)
        .containsPattern("Index Scan using record_[0-9]_state_due_at_idx")
        .containsPattern(
            "Index Cond: \\(\\(\\(?state\\)?::text = '[a-z]+'::text\\) AND \\(due_at <="
                + " now\\(\\)\\)\\)")
        .containsPattern("Index Scan using record_[0-9]_pkey");
    noScan(plan);
  }

  private static void noScan(String plan) {
    assertThat(plan)
        .doesNotContainPattern("Seq Scan on (record|body|timeline)")
        .doesNotContain("Bitmap");
    // Each way into a table is one with a condition.
    assertThat(Pattern.compile("Index (Only )?Scan").matcher(plan).results().count())
        .as(plan)
        .isEqualTo(Pattern.compile("Index Cond: ").matcher(plan).results().count());
  }

  private static String plan(String sql) throws SQLException {
    try (Connection connection = fixture.database.connect();
        Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> setting : PgUpkeep.PLANS.entrySet()) {
        statement.execute("set " + setting.getKey() + " = " + setting.getValue());
      }
      statement.execute("prepare it as " + sql);
      List<String> parameters = new ArrayList<>();
      try (ResultSet types =
          statement.executeQuery(
              "select unnest(parameter_types)::text from pg_prepared_statements")) {
        while (types.next()) {
          parameters.add(value(types.getString(1)));
        }
      }
      StringBuilder plan = new StringBuilder();
      try (ResultSet lines =
          statement.executeQuery("explain execute it(" + String.join(",", parameters) + ")")) {
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
      }
      return plan.toString();
    }
  }

  private static String value(String type) {
    return switch (type) {
      case "bytea" -> "sha256('full7')";
      case "bigint" -> "500";
      case "timestamp with time zone" -> "now()";
      default -> "null::" + type;
    };
  }
}

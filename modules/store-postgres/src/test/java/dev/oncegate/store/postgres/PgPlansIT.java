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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No statement reads a table from end to end, whatever was known of the table when it was planned.
 */
class PgPlansIT {
  private static PgFixture fixture;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgPlansIT.class);
    // Known to be empty: this is when a scan of the whole looks cheapest.
    fixture.database.execute("vacuum analyze");
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  static Stream<String> statements() {
    return Stream.of(
        ClaimSql.CLAIM,
        ClaimSql.RECLAIM,
        ClaimSql.LAPSE,
        ClaimSql.EXPIRE,
        ClaimSql.WITHDRAW,
        SettleSql.COMPLETE,
        SettleSql.RELEASE,
        SettleSql.MARK_UNKNOWN,
        ReadSql.READ,
        ReadSql.RENEW,
        ReadSql.STANDING);
  }

  @ParameterizedTest
  @MethodSource("statements")
  void statement_looksUpItsRowsById(String sql) throws SQLException {
    String plan = plan(sql);
    assertThat(plan).containsPattern("Bitmap Index Scan on record_[0-9]_pkey");
    assertThat(plan).doesNotContainPattern("Seq Scan on (record|body)");
    assertThat(plan).doesNotContainPattern("Index (Only )?Scan using");
    assertThat(Pattern.compile("Bitmap Index Scan").matcher(plan).results().count())
        .isEqualTo(Pattern.compile("Index Cond: \\(id = ").matcher(plan).results().count());
  }

  /** As the lanes plan it: once for all parameters. */
  private static String plan(String sql) throws SQLException {
    try (Connection connection = fixture.database.connect();
        Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> setting : PgRecordStore.PLANS.entrySet()) {
        statement.execute("set " + setting.getKey() + " = " + setting.getValue());
      }
      statement.execute("prepare it as " + sql);
      List<String> parameters = new ArrayList<>();
      try (ResultSet types =
          statement.executeQuery(
              "select unnest(parameter_types)::text from pg_prepared_statements")) {
        while (types.next()) {
          parameters.add("null::" + types.getString(1));
        }
      }
      // The partition of a single id is chosen as the statement begins: there must be one.
      String id = "sha256('some key')";
      parameters.set(0, parameters.get(0).endsWith("[]") ? "array[" + id + "]" : id);
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
}

package dev.oncegate.store.postgres;

/**
 * The step of a statement that adds to the books. It is the last lock that a statement takes: it
 * groups what the statement has changed, so it begins when the last record is locked, and goes
 * through the tenants in one order. The row is the connection's own; two connections whose process
 * ids meet in one slot wait for each other's commit here, holding nothing that the other still
 * wants. A statement that changed nothing adds nothing.
 */
final class Tally {
  private Tally() {}

  /** Counts the rows of {@code changed} in one column. */
  static String add(String column, String changed) {
    return add(column, "1", changed);
  }

  /**
   * Adds to columns.
   *
   * @param columns of {@code tally}
   * @param each what every row of {@code changed} adds to each of them
   * @param changed a part of the statement, with the column {@code tenant}
   */
  static String add(String columns, String each, String changed) {
    StringBuilder sums = new StringBuilder();
    StringBuilder sets = new StringBuilder();
    for (String value : each.split(", ", -1)) {
      sums.append(", sum(").append(value).append(")::bigint");
    }
    for (String column : columns.split(", ", -1)) {
      sets.append(sets.isEmpty() ? "" : ", ")
          .append("%1$s = tally.%1$s + excluded.%1$s".formatted(column));
    }
    return """
        insert into tally (tenant, slot, %s)
        select tenant, pg_backend_pid() %% 256%s from %s group by tenant order by tenant
        on conflict (tenant, slot) do update set %s
    """
        .formatted(columns, sums, changed, sets);
  }
}

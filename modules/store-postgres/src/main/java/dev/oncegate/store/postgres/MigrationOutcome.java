package dev.oncegate.store.postgres;

/** What became of a migration. All of these are expected when a gateway starts. */
public sealed interface MigrationOutcome {
  /** The schema is this build's now, from {@code from} (0 where there was none). */
  record Migrated(int from, int to) implements MigrationOutcome {}

  /** The schema was this build's already. */
  record UpToDate(int version) implements MigrationOutcome {}

  /** No connection could be made, or the server is not ready. */
  record Unreachable(String why) implements MigrationOutcome {}

  /** The server refused user, password or database access. */
  record WrongCredentials(String why) implements MigrationOutcome {}

  /** The database does not exist on that server. */
  record NoSuchDatabase(String why) implements MigrationOutcome {}

  /** Older than Postgres {@value SchemaMigrator#OLDEST_SERVER}. */
  record ServerTooOld(String version) implements MigrationOutcome {}

  /** A newer Oncegate has migrated it; this build does not know what changed. */
  record SchemaNewer(int found, int known) implements MigrationOutcome {}

  /** Anything else, for a person: no right to create tables, a changed script, a failed one. */
  record Failed(String why) implements MigrationOutcome {}
}

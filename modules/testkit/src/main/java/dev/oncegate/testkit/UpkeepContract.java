package dev.oncegate.testkit;

/**
 * What every {@link dev.oncegate.engine.port.RecordUpkeep} must do. New behaviour of the port
 * enters here first.
 */
public interface UpkeepContract extends SweepContract, ResolveContract, BooksContract {}

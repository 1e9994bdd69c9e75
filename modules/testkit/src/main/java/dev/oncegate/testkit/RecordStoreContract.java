package dev.oncegate.testkit;

/**
 * What every {@link dev.oncegate.engine.port.RecordStore} must do, as {@link
 * dev.oncegate.core.RecordRules} decides. New behaviour of the port enters here first.
 */
public interface RecordStoreContract
    extends ClaimContract, ExpiryContract, SettleContract, ReplayContract, StandingContract {}

package dev.oncegate.testkit.history;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One request that the upstream has handled, written down before it was answered; part of L.
 *
 * @param token the fencing token that came with it, where one did
 * @param effect whether something happened because of it
 * @param repeated whether the upstream recognised its key and only gave its answer again
 * @param terminal whether the route stores such an answer
 * @param probed what a probe comes to once this has happened; empty without an effect
 * @param sequence order of handling
 */
public record LedgerLine(
    String attempt,
    String key,
    OptionalLong token,
    boolean effect,
    boolean repeated,
    boolean terminal,
    Answer answer,
    Optional<Answer> probed,
    long sequence) {}

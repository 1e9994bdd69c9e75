package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.Optional;

/**
 * A record at the end of the run, when everything had time to settle; part of D.
 *
 * @param answer what is stored; its digest only where it can be read
 * @param waits whether it is right that it is unknown: it waits for a person
 */
public record FinalRow(
    String key,
    String tenant,
    State state,
    long token,
    Optional<Answer> answer,
    boolean reconstructed,
    boolean waits) {}

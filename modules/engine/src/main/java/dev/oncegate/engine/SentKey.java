package dev.oncegate.engine;

import java.util.Optional;

/**
 * The key under which a request goes upstream.
 *
 * @param value empty where its route has none
 * @param inherited taken over from an attempt whose outcome is not known: its effect may be there,
 *     so whatever becomes of this one, the record that keeps the key must not go
 */
record SentKey(Optional<String> value, boolean inherited) {}

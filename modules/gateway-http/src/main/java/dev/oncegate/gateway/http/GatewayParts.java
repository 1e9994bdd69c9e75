package dev.oncegate.gateway.http;

import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.RequestFingerprints;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.TenantDirectory;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.util.function.BooleanSupplier;

/**
 * What one gateway works with; everything but tenants, clients, fingerprints and events belongs to
 * one event loop.
 *
 * @param clients of the whole process, the same that the engine's {@link HttpUpstream} uses
 * @param clock for the {@code Date} header alone: nothing is decided by it
 * @param draining once true, no keyed request is admitted any more
 * @param context of the verticle: exchanges run there and not on a client's connection
 */
public record GatewayParts(
    TenantDirectory tenants,
    IdempotencyEngine engine,
    UpstreamClients clients,
    EngineEvents events,
    RequestFingerprints fingerprints,
    Time time,
    Clock clock,
    BooleanSupplier draining,
    GatewayLimits limits,
    Context context) {}

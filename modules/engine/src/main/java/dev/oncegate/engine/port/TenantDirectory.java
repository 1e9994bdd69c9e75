package dev.oncegate.engine.port;

import dev.oncegate.core.TenantPolicy;
import java.util.List;

/** The tenants as they are now. */
@FunctionalInterface
public interface TenantDirectory {
  /** An immutable list; the same object until the configuration changes. */
  List<TenantPolicy> tenants();
}

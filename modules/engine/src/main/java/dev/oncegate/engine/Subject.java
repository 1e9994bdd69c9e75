package dev.oncegate.engine;

import dev.oncegate.core.RecordId;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;

/** What an answer is about: all that is needed of a request once its payload was compared. */
record Subject(TenantPolicy tenant, RoutePolicy route, RecordId id) {
  static Subject of(Admission admission) {
    return new Subject(admission.tenant(), admission.route(), admission.id());
  }

  String tenantId() {
    return tenant.id();
  }
}

-- The policies that records may name by version (contract §7): a live record is judged by the one that it was claimed
-- under, whatever the file says now. Rows are only ever added. Two routes, or two tenants, may share a version: it is a
-- hash of what the policy means. A policy is committed before the first claim under it, so wherever a failover keeps the
-- claim it keeps the policy: the log holds them in this order.
create table policy (
  version  text        not null,
  tenant   text        not null,
  route    text        not null,
  document text        not null,
  kept_at  timestamptz not null default now(),
  primary key (version, tenant, route)
);

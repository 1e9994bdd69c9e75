package dev.oncegate.core;

/**
 * The space in which a key is unique: tenant, route and principal (contract §3).
 *
 * @param principal who owns the key within the tenant, never a credential that rotates; {@link
 *     #SHARED} where the tenant declares one key space for all
 */
public record Scope(String tenant, String route, String principal) {
  /** Principal of tenants with one key space. Not a possible API key id, since it is empty. */
  public static final String SHARED = "";
}

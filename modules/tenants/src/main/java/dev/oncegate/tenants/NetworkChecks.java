package dev.oncegate.tenants;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/** Check 7: networks are networks. */
final class NetworkChecks {
  private static final int V4_BITS = 32;
  private static final int V6_BITS = 128;

  private NetworkChecks() {}

  static void check(ReadTenant tenant, Findings findings) {
    for (String match : tenant.matches()) {
      String list = match + "/fromCidrs";
      for (int i = 0; i < tenant.file().at(tenant.pointer() + list).size(); i++) {
        String item = Pointers.child(list, i);
        fault(tenant.file().at(tenant.pointer() + item).asText())
            .ifPresent(fault -> findings.error(tenant.at(item), tenant.id() + " match", fault));
      }
    }
  }

  private static Optional<String> fault(String cidr) {
    int slash = cidr.indexOf('/');
    String address = cidr.substring(0, slash);
    int prefix = Integer.parseInt(cidr.substring(slash + 1));
    Optional<byte[]> parsed = address.contains(":") ? v6(address) : v4(address);
    int bits = address.contains(":") ? V6_BITS : V4_BITS;
    if (parsed.isEmpty() || prefix > bits) {
      return Optional.of(
          Shown.text(cidr)
              + " is no network; write an address and a prefix length of at most "
              + bits
              + ", such as "
              + (bits == V4_BITS ? "10.20.0.0/16" : "fd00::/8"));
    }
    BigInteger value = new BigInteger(1, parsed.get());
    BigInteger network = value.shiftRight(bits - prefix).shiftLeft(bits - prefix);
    if (network.equals(value)) {
      return Optional.empty();
    }
    return Optional.of(
        Shown.text(cidr)
            + " has host bits; write "
            + text(network, bits)
            + "/"
            + prefix
            + " or "
            + address
            + "/"
            + bits);
  }

  private static Optional<byte[]> v4(String address) {
    String[] octets = address.split("\\.", -1);
    byte[] bytes = new byte[octets.length];
    for (int i = 0; i < octets.length; i++) {
      int octet = Integer.parseInt(octets[i]);
      if (octet > 0xff) {
        return Optional.empty();
      }
      bytes[i] = (byte) octet;
    }
    return Optional.of(bytes);
  }

  /** An address with a colon is parsed as it stands, no name is looked up. */
  private static Optional<byte[]> v6(String address) {
    try {
      byte[] bytes = InetAddress.getByName(address).getAddress();
      if (bytes.length == V6_BITS / 8) {
        return Optional.of(bytes);
      }
      // ::ffff:10.0.0.1 comes back as the address within.
      byte[] mapped = new byte[V6_BITS / 8];
      Arrays.fill(mapped, 10, 12, (byte) 0xff);
      System.arraycopy(bytes, 0, mapped, 12, bytes.length);
      return Optional.of(mapped);
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static String text(BigInteger network, int bits) {
    byte[] bytes = new byte[bits / 8];
    byte[] value = network.toByteArray();
    int length = Math.min(value.length, bytes.length);
    System.arraycopy(value, value.length - length, bytes, bytes.length - length, length);
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}

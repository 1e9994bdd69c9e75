package dev.oncegate.app.embedded;

import java.util.HexFormat;

/** The installation secret of a gateway with the embedded Postgres (contract §10, Secret). */
public final class InstallationSecret {
  private InstallationSecret() {}

  /** 32 bytes, the same at every start on this data directory, whose lock the caller holds. */
  public static byte[] of(DataDir dir) {
    return HexFormat.of().parseHex(SecretFile.readOrMake(dir, dir.secret()));
  }
}

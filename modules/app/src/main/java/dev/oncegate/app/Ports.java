package dev.oncegate.app;

import dev.oncegate.app.config.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Looks at the ports before anything is started: most failures to start are a port in use. */
public final class Ports {
  private Ports() {}

  /**
   * Fails where nothing could listen there now. Somebody else may still take the port afterwards;
   * then the listener itself fails, and what was started is stopped again.
   *
   * @param remedy the flag that chooses another one
   */
  public static void requireFree(Address address, String remedy) {
    if (address.port() == 0) {
      return;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(address.host()), address.port()));
    } catch (UnknownHostException e) {
      throw StartFailure.invalid("there is no host named " + address.host() + " to listen on", e);
    } catch (IOException e) {
      throw inUse(address, remedy, e);
    }
  }

  /** The failure of a listener. */
  public static StartFailure inUse(Address address, String remedy, Throwable cause) {
    return StartFailure.invalid(
        "cannot listen on "
            + address
            + " ("
            + cause.getMessage()
            + "); stop what uses it, or choose another port with "
            + remedy,
        cause);
  }
}

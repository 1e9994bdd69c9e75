package dev.oncegate.testkit.sim;

/** Which faults are on; each number is a probability, or how many of a kind are on at once. */
final class Weather {
  int databaseDown;
  int databaseSlow;
  int databaseLossy;
  int requestsSlow;
  int networkLossy;
  int upstreamSlow;
  int upstreamTransient;
  int upstreamAmbiguous;
  int probesSilent;
  int failpoints;

  final BusWeather bus;

  Weather(BusWeather bus) {
    this.bus = bus;
  }

  /** Faults that had begun. */
  int faults;

  /** The last fault is over: nothing small goes wrong any more either. */
  boolean healed;
}

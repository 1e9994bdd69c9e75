package dev.oncegate.testkit.sim;

/** How messages between processes fare; each number counts how many of a kind are on at once. */
final class BusWeather {
  private final boolean deaf;
  private final double roughness;
  private final int[][] cuts = new int[Plan.NODES][Plan.NODES];
  int lossy;
  int slow;
  int repeating;
  int forging;

  /** What a node believes of its messages is the contrary of what is so. */
  int deceived;

  private boolean healed;

  /**
   * Good weather.
   *
   * @param deaf nothing is ever heard, not even within a process
   * @param roughness how often something small goes wrong
   */
  BusWeather(boolean deaf, double roughness) {
    this.deaf = deaf;
    this.roughness = roughness;
  }

  boolean deaf() {
    return deaf;
  }

  /** Nothing goes wrong any more; a deaf bus stays deaf. */
  void heal() {
    healed = true;
  }

  /** Parts two nodes, or joins them again. */
  void cut(int a, int b, int on) {
    cuts[a][b] += on;
    cuts[b][a] += on;
  }

  boolean healthy(int node) {
    int cut = 0;
    for (int on : cuts[node]) {
      cut += on;
    }
    boolean well = !deaf && cut == 0 && lossy == 0;
    return deceived > 0 ? !well : well;
  }

  boolean loses(int from, int to, Dice dice) {
    return deaf || cuts[from][to] > 0 || dice.chance(lossy > 0 ? 0.5 : rough());
  }

  boolean repeats(Dice dice) {
    return dice.chance(repeating > 0 ? 0.4 : rough());
  }

  boolean forges(Dice dice) {
    return !deaf && forging > 0 && dice.chance(0.4);
  }

  long delay(Dice dice) {
    return slow > 0 && dice.chance(0.6) ? dice.millis(0, 8_000) : dice.millis(0, 4);
  }

  private double rough() {
    return healed ? 0 : roughness;
  }
}

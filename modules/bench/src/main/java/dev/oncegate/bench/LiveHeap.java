package dev.oncegate.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The objects of this process that are reachable, as a full collection finds them.
 *
 * @param classes by name of the class
 */
record LiveHeap(Map<String, Size> classes) {

  /** Objects of one class. */
  record Size(long instances, long bytes) {
    static final Size NONE = new Size(0, 0);

    Size minus(Size other) {
      return new Size(instances - other.instances, bytes - other.bytes);
    }
  }

  /** Collects, and looks. */
  static LiveHeap now() {
    try {
      String histogram =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
      return parse(histogram);
    } catch (JMException e) {
      throw new IllegalStateException("the heap cannot be looked at", e);
    }
  }

  /** Lines are: number, instances, bytes, class. */
  private static LiveHeap parse(String histogram) {
    Map<String, Size> classes = new HashMap<>();
    histogram
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length > 3 && words[0].matches("\\d+:"))
        .forEach(
            words ->
                classes.merge(
                    words[3],
                    new Size(Long.parseLong(words[1]), Long.parseLong(words[2])),
                    (a, b) -> new Size(a.instances + b.instances, a.bytes + b.bytes)));
    return new LiveHeap(classes);
  }

  long bytes() {
    return classes.values().stream().mapToLong(Size::bytes).sum();
  }

  Size of(Class<?> type) {
    return classes.getOrDefault(type.getName(), Size.NONE);
  }

  /** What has grown since then, the most bytes first. */
  List<Map.Entry<String, Size>> grown(LiveHeap since) {
    List<Map.Entry<String, Size>> grown = new ArrayList<>();
    classes.forEach(
        (name, size) -> {
          Size more = size.minus(since.classes.getOrDefault(name, Size.NONE));
          if (more.bytes() > 0) {
            grown.add(Map.entry(name, more));
          }
        });
    grown.sort((a, b) -> Long.compare(b.getValue().bytes(), a.getValue().bytes()));
    return grown;
  }
}

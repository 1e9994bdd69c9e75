package dev.oncegate.gateway.http;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** What is reachable in this process, found by a full collection; and what lies beside the heap. */
record LiveObjects(String histogram, long directBytes) {
  static LiveObjects now() throws JMException {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return new LiveObjects(histogram, direct);
  }

  long count(Class<?> type) {
    return column(type.getName(), 1);
  }

  long arrayBytes() {
    return column("[B", 2);
  }

  /** Lines are: number, instances, bytes, class. */
  private long column(String type, int column) {
    return histogram
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length > 3 && words[3].equals(type))
        .mapToLong(words -> Long.parseLong(words[column]))
        .findFirst()
        .orElse(0);
  }
}

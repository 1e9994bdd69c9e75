package dev.oncegate.app.config;

import dev.oncegate.app.config.Fit.Taken;
import dev.oncegate.app.config.Fit.Unfit;
import io.vertx.core.json.JsonArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The kinds of values that only a cluster has. */
final class ClusterKinds {
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z][0-9A-Za-z._-]{0,252}");
  private static final Pattern CLUSTER = Pattern.compile("[0-9A-Za-z][0-9A-Za-z._-]{0,63}");
  private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

  private ClusterKinds() {}

  /** In a file a list; elsewhere joined by commas, since no shell has lists. */
  static Kind<List<Member>> members() {
    return new Kind<>(
        "list of host or host:port; in a variable joined by commas", ClusterKinds::readMembers);
  }

  private static Fit<List<Member>> readMembers(Given given) {
    List<?> written;
    if (given.inFile()) {
      if (!(given.value() instanceof JsonArray list)) {
        return new Unfit<>("is no list", "write a list, such as [\"10.0.0.1\", \"10.0.0.2\"]");
      }
      written = list.getList();
    } else {
      written = List.of(String.valueOf(given.value()).split(","));
    }
    List<Member> members = new ArrayList<>();
    for (Object one : written) {
      Optional<Member> member =
          one instanceof String text ? Member.parse(text.strip()) : Optional.empty();
      if (member.isEmpty()) {
        return new Unfit<>(
            "has an entry that is '" + Kinds.shown(one) + "'",
            "give host or host:port, with an IPv6 address in brackets");
      }
      members.add(member.get());
    }
    return new Taken<>(List.copyOf(members));
  }

  static Kind<String> name() {
    return text("host name", NAME, "give a name, such as oncegate-headless");
  }

  static Kind<String> clusterName() {
    return text(
        "name, up to 64 of A-Z a-z 0-9 . _ -", CLUSTER, "give a name, such as oncegate-prod");
  }

  private static Kind<String> text(String form, Pattern pattern, String remedy) {
    return new Kind<>(
        form,
        given ->
            given.value() instanceof String text && pattern.matcher(text).matches()
                ? new Taken<>(text)
                : Kinds.unfit(given, remedy));
  }

  /** Other nodes are told this one: a wildcard would send them to themselves. */
  static Kind<String> ownHost() {
    Kind<String> host = Kinds.host();
    return new Kind<>(
        host.form(),
        given ->
            given.value() instanceof String text && EVERYWHERE.contains(text)
                ? Kinds.unfit(given, "give an address that the other nodes can reach")
                : host.read(given));
  }
}

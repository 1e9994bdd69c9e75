package dev.oncegate.app.config;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node as somebody wrote it.
 *
 * @param port empty: the same as ours
 */
record Member(String host, OptionalInt port) {
  /** A name or IPv4 address; IPv6 only in brackets where a port follows. */
  private static final Pattern FORM =
      Pattern.compile(
          "(?:\\[(?<bracketed>[^\\]]+)\\]|(?<plain>[0-9A-Za-z._-]+))(?::(?<port>[1-9][0-9]{0,4}))?");

  private static final Pattern IPV6 =
      Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[0-9A-Za-z._-]+)?");

  static Optional<Member> parse(String text) {
    if (IPV6.matcher(text).matches()) {
      return Optional.of(new Member(text, OptionalInt.empty()));
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String bracketed = form.group("bracketed");
    if (bracketed != null && !IPV6.matcher(bracketed).matches()) {
      return Optional.empty();
    }
    String host = bracketed != null ? bracketed : form.group("plain");
    String port = form.group("port");
    if (port == null) {
      return Optional.of(new Member(host, OptionalInt.empty()));
    }
    int number = Integer.parseInt(port);
    return number > Address.HIGHEST_PORT
        ? Optional.empty()
        : Optional.of(new Member(host, OptionalInt.of(number)));
  }

  Address at(int builtInPort) {
    return new Address(host, port.orElse(builtInPort));
  }
}

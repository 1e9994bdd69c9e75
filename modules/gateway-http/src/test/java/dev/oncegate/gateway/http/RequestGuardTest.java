package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.HeaderField;
import dev.oncegate.engine.Problem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestGuardTest {
  private static final HeaderField HOST = new HeaderField("Host", "pay.example:8080");

  @Test
  void ordinaryRequest_passesWithHostAndTheClientsOwnBytes() {
    RequestHead head = passed(check("/v1/Caf%C3%a9/%7euser?a=1&b=%2F", HOST));
    assertThat(head.host()).isEqualTo("pay.example");
    assertThat(head.path()).isEqualTo("/v1/Caf%C3%a9/%7euser");
    assertThat(head.query()).isEqualTo("a=1&b=%2F");
  }

  @Test
  void questionMarkAlone_isAnEmptyQueryAndNotNone() {
    assertThat(passed(check("/a?", HOST)).query()).isEmpty();
    assertThat(passed(check("/a", HOST)).query()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/../b",
        "/a/./b",
        "/..",
        "/a/%2e%2e/b",
        "/a/%2E./b",
        "/a/.%2e",
        "/a/..;x=1/b",
        "/a%2fb",
        "/a%2Fb",
        "/a%5cb",
        "/a\\b",
        "/a%00b",
        "/a%",
        "/a%4",
        "/a%zz",
        "/a#b",
        "/a b",
        "/caf\u00e9",
        "/a?\u00e9",
        "*",
        "a/b",
        "pay.example:443",
        "ftp://pay.example/a"
      })
  void treacherousTarget_isMalformed(String target) {
    assertThat(refused(check(target, HOST)).type()).isEqualTo(Problem.Type.REQUEST_MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/...", "/a/..b", "/a//b", "/.well-known/x", "/a?x=../..", "/a;v=1"})
  void harmlessTarget_passes(String target) {
    assertThat(check(target, HOST)).isInstanceOf(Checked.Passed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a@b",
        "a b",
        "a/b",
        "a:b",
        "a:99999",
        "[::1",
        "a,b",
        "http://a",
        "a:1:2",
        "caf\u00e9"
      })
  void badHost_isHostInvalid(String host) {
    boolean comma = host.equals("a,b");
    Checked<RequestHead> checked = check("/", new HeaderField("Host", host));
    if (comma) {
      // A comma is legal in a registered name; no tenant has such a host.
      assertThat(checked).isInstanceOf(Checked.Passed.class);
    } else {
      assertThat(refused(checked).type()).isEqualTo(Problem.Type.HOST_INVALID);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "pay.example,pay.example",
    "PAY.Example:1,pay.example",
    "[::1]:80,[::1]",
    "10.0.0.1,10.0.0.1"
  })
  void goodHost_passesInLowerCaseWithoutPort(String host, String expected) {
    assertThat(passed(check("/", new HeaderField("host", host))).host()).isEqualTo(expected);
  }

  @Test
  void noneOrTwoHosts_areHostInvalid() {
    assertThat(refused(check("/")).type()).isEqualTo(Problem.Type.HOST_INVALID);
    assertThat(refused(check("/", HOST, HOST)).type()).isEqualTo(Problem.Type.HOST_INVALID);
  }

  @Test
  void absoluteTarget_countsByItsPathAndMustAgreeWithHost() {
    assertThat(passed(check("http://pay.example:8080/a?b", HOST)).path()).isEqualTo("/a");
    assertThat(passed(check("HTTP://PAY.example:8080", HOST)).path()).isEqualTo("/");
    assertThat(refused(check("http://other/a", HOST)).type()).isEqualTo(Problem.Type.HOST_INVALID);
    assertThat(refused(check("http://x@pay.example:8080/a", HOST)).type())
        .isEqualTo(Problem.Type.HOST_INVALID);
    assertThat(passed(check("https://h:443/a", new HeaderField("Host", "h"))).path())
        .isEqualTo("/a");
  }

  @Test
  void doubledFraming_isMalformed() {
    HeaderField chunked = new HeaderField("Transfer-Encoding", "chunked");
    HeaderField length = new HeaderField("Content-Length", "5");
    assertThat(check("/", HOST, chunked)).isInstanceOf(Checked.Passed.class);
    assertThat(refused(check("/", HOST, chunked, length)).type())
        .isEqualTo(Problem.Type.REQUEST_MALFORMED);
    assertThat(refused(check("/", HOST, chunked, chunked)).type())
        .isEqualTo(Problem.Type.REQUEST_MALFORMED);
    assertThat(refused(check("/", HOST, new HeaderField("Transfer-Encoding", "gzip"))).type())
        .isEqualTo(Problem.Type.REQUEST_MALFORMED);
  }

  @Test
  void otherExpectation_isRefused() {
    assertThat(check("/", HOST, new HeaderField("Expect", "100-Continue")))
        .isInstanceOf(Checked.Passed.class);
    assertThat(refused(check("/", HOST, new HeaderField("Expect", "tea"))).type())
        .isEqualTo(Problem.Type.EXPECTATION_FAILED);
  }

  @Test
  void http2_takesTheAuthorityAndRefusesAnotherHost() {
    List<HeaderField> none = List.of();
    assertThat(passed(http2("pay.example", none)).host()).isEqualTo("pay.example");
    assertThat(refused(http2("pay.example", List.of(new HeaderField("host", "other")))).type())
        .isEqualTo(Problem.Type.HOST_INVALID);
  }

  private static Checked<RequestHead> http2(String authority, List<HeaderField> headers) {
    return RequestGuard.check(new RequestGuard.Raw(true, false, authority, "POST", "/a", headers));
  }

  private static Checked<RequestHead> check(String target, HeaderField... headers) {
    return RequestGuard.check(
        new RequestGuard.Raw(
            false, false, null, "POST", target, new ArrayList<>(List.of(headers))));
  }

  private static RequestHead passed(Checked<RequestHead> checked) {
    assertThat(checked).isInstanceOf(Checked.Passed.class);
    return ((Checked.Passed<RequestHead>) checked).value();
  }

  private static Problem refused(Checked<RequestHead> checked) {
    assertThat(checked).isInstanceOf(Checked.Refused.class);
    return ((Checked.Refused<RequestHead>) checked).problem();
  }
}

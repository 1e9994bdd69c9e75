package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.gateway.http.BodyDecoder.Decoded;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class BodyDecoderTest {
  private static final byte[] PLAIN = "{\"amount\":5}".getBytes(StandardCharsets.UTF_8);

  @Test
  void gzipAndBothKindsOfDeflate_decode() throws Exception {
    assertThat(decode(gzip(PLAIN), "gzip")).isEqualTo(plain(PLAIN));
    assertThat(decode(gzip(PLAIN), "X-GZIP")).isEqualTo(plain(PLAIN));
    assertThat(decode(deflate(PLAIN, false), "deflate")).isEqualTo(plain(PLAIN));
    assertThat(decode(deflate(PLAIN, true), "deflate")).isEqualTo(plain(PLAIN));
  }

  @Test
  void noCodingOrAnUnknownOne_isTakenAsItCame() throws Exception {
    assertThat(decode(PLAIN, "identity")).isEqualTo(plain(PLAIN));
    assertThat(decode(PLAIN, "br")).isEqualTo(plain(PLAIN));
    assertThat(decode(gzip(PLAIN), "gzip, gzip")).isEqualTo(plain(gzip(PLAIN)));
  }

  @Test
  void undecodable_isTakenAsItCame() throws Exception {
    assertThat(decode(PLAIN, "gzip")).isEqualTo(plain(PLAIN));
    assertThat(decode(PLAIN, "deflate")).isEqualTo(plain(PLAIN));
    assertThat(decode(new byte[0], "gzip")).isEqualTo(plain(new byte[0]));
    byte[] cut = java.util.Arrays.copyOf(gzip(PLAIN), gzip(PLAIN).length - 9);
    assertThat(decode(cut, "gzip")).isEqualTo(plain(cut));
  }

  @Test
  void bomb_endsAtTheCap() throws Exception {
    byte[] bomb = gzip(new byte[50_000_000]);
    assertThat(decode(bomb, "gzip")).isInstanceOf(Decoded.TooLarge.class);
  }

  private static Decoded decode(byte[] body, String coding) {
    return BodyDecoder.decode(Bytes.wrap(body), List.of(coding), 1024 * 1024);
  }

  private static Decoded plain(byte[] bytes) {
    return new Decoded.Plain(Bytes.wrap(bytes));
  }

  private static byte[] gzip(byte[] plain) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  private static byte[] deflate(byte[] plain, boolean bare) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream deflate =
        new DeflaterOutputStream(out, new Deflater(Deflater.BEST_COMPRESSION, bare))) {
      deflate.write(plain);
    }
    return out.toByteArray();
  }
}

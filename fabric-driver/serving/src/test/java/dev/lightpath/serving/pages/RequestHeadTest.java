package dev.lightpath.serving.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RequestHeadTest {
    static final String SCRAPE = "GET /metrics/ports?device=ocs-1&device=row-b-* HTTP/1.1\r\nHost: 10.0.0.3:9441\r\n"
            + "accept: application/openmetrics-text;version=1.0.0\r\nAccept:text/plain\r\n\r\n";

    private static Optional<RequestHead> read(String text) throws IOException {
        return RequestHead.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void readsWhatPagesNeed() throws IOException {
        assertThat(read(SCRAPE))
                .contains(new RequestHead(
                        "GET",
                        "/metrics/ports",
                        "device=ocs-1&device=row-b-*",
                        "application/openmetrics-text;version=1.0.0,text/plain"));
        assertThat(read("GET /live HTTP/1.0\n\n")).contains(new RequestHead("GET", "/live", null, ""));
        assertThat(read("GET /live? HTTP/1.1\r\n\r\n")).contains(new RequestHead("GET", "/live", "", ""));
    }
}

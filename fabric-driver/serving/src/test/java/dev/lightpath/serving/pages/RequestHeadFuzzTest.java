package dev.lightpath.serving.pages;

import dev.lightpath.fuzz.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What callers of the pages send. */
@Isolated("the heap that it measures is that of the whole process")
final class RequestHeadFuzzTest {
    @Test
    void requests() throws Exception {
        Fuzz.read(
                "page-requests",
                Fuzz.texts(RequestHeadTest.SCRAPE, "HEAD /live HTTP/1.0\n\n"),
                EOFException.class,
                bytes -> {
                    var unused = RequestHead.read(new ByteArrayInputStream(bytes));
                });
    }
}

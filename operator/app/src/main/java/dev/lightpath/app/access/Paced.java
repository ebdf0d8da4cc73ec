package dev.lightpath.app.access;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * An answer of JSON that is written no faster than it is read. A slow client costs a few buffers, not a copy.
 *
 * @param parts written one after the other; not copied, and never changed
 */
public record Paced(List<byte[]> parts) implements Door.Answer {
    private static final int STEP = 1 << 16;

    public Paced {
        parts = List.copyOf(parts);
    }

    @Override
    public void write(RoutingContext request, Runnable done) {
        HttpServerResponse response = request.response();
        response.putHeader("Content-Type", "application/json")
                .putHeader(
                        "Content-Length",
                        Long.toString(
                                parts.stream().mapToLong(part -> part.length).sum()));
        response.setWriteQueueMaxSize(2 * STEP);
        new Way(response, done).go();
    }

    /** How far it has come. */
    private final class Way {
        private final HttpServerResponse response;
        private final Runnable done;
        private int part;
        private int offset;

        Way(HttpServerResponse response, Runnable done) {
            this.response = response;
            this.done = done;
        }

        void go() {
            while (part < parts.size()) {
                if (response.closed()) {
                    return;
                }
                if (response.writeQueueFull()) {
                    response.drainHandler(drained -> go());
                    return;
                }
                byte[] bytes = parts.get(part);
                int length = Math.min(STEP, bytes.length - offset);
                var unused = response.write(Buffer.buffer(Unpooled.wrappedBuffer(bytes, offset, length)));
                offset += length;
                if (offset == bytes.length) {
                    part++;
                    offset = 0;
                }
            }
            response.end().onComplete(ended -> done.run());
        }
    }
}

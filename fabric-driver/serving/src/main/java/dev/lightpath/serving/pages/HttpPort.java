package dev.lightpath.serving.pages;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Takes one request of each connection, for few connections at a time, each for a limited time. The JDK's server is not
 * used: with TLS it waits for ever for a handshake that does not go on, and looks up the name of each caller, for which
 * probes would wait.
 */
final class HttpPort implements AutoCloseable {
    /** For a request, with its handshake. */
    private static final long REQUEST_SECONDS = 10;

    private static final long ANSWER_SECONDS = 30;
    private static final int MOST_CONNECTIONS = 128;
    private static final int BACKLOG = 128;
    private static final long PAUSE_MILLIS = 100;

    /** What is said to a caller. */
    interface Answers {
        /** @param caller the connection, an {@link SSLSocket} if there is TLS */
        StatusPages.Answer to(RequestHead request, Socket caller);
    }

    private final ServerSocket server = new ServerSocket();
    private final ExecutorService workers;
    private final Optional<SSLContext> tls;
    private final Answers answers;
    private final Semaphore free = new Semaphore(MOST_CONNECTIONS);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor limits = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("http-limits").daemon(true).factory());

    /**
     * @param tls to speak; callers are asked for a certificate, and need none
     * @throws IOException when the address cannot be used
     */
    HttpPort(InetSocketAddress address, ExecutorService workers, Optional<SSLContext> tls, Answers answers)
            throws IOException {
        this.workers = workers;
        this.tls = tls;
        this.answers = answers;
        limits.setRemoveOnCancelPolicy(true);
        try {
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
        } catch (IOException unusable) {
            server.close();
            throw unusable;
        }
        workers.execute(this::accept);
    }

    int number() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                if (free.tryAcquire()) {
                    open.add(caller);
                    workers.execute(() -> serve(caller));
                } else {
                    caller.close();
                }
            } catch (RejectedExecutionException stopping) {
                return;
            } catch (IOException closedOrOutOfFiles) {
                pause();
            }
        }
    }

    /** Files come free again; until then accepting fails at once. */
    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket caller) {
        try {
            Future<?> limit = limit(caller, REQUEST_SECONDS);
            try (Socket talk = tls.isPresent() ? secured(caller, tls.get()) : caller) {
                Optional<RequestHead> request = RequestHead.read(new BufferedInputStream(talk.getInputStream()));
                limit.cancel(false);
                limit = limit(caller, ANSWER_SECONDS);
                write(talk.getOutputStream(), request, request.map(head -> answers.to(head, talk)));
            } finally {
                limit.cancel(false);
            }
        } catch (IOException | RejectedExecutionException callerLeft) {
            // or took too long, or does not speak TLS, or shows a certificate that nobody believes; or we stop
        } finally {
            closeQuietly(caller);
            open.remove(caller);
            free.release();
        }
    }

    private Future<?> limit(Socket caller, long seconds) {
        return limits.schedule(() -> closeQuietly(caller), seconds, TimeUnit.SECONDS);
    }

    private static SSLSocket secured(Socket caller, SSLContext tls) throws IOException {
        SSLSocket talk = (SSLSocket) tls.getSocketFactory().createSocket(caller, null, true);
        talk.setWantClientAuth(true);
        talk.startHandshake();
        return talk;
    }

    private static void write(OutputStream out, Optional<RequestHead> request, Optional<StatusPages.Answer> given)
            throws IOException {
        StatusPages.Answer answer = given.orElseGet(() -> StatusPages.Answer.refusal(
                HttpURLConnection.HTTP_BAD_REQUEST, "no request of HTTP/1.1, or one of more than 16 KiB"));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + answer.status() + " \r\nContent-Type: " + answer.contentType()
                + "\r\nContent-Length: " + body.length + "\r\nConnection: close\r\n\r\n";
        BufferedOutputStream whole = new BufferedOutputStream(out);
        whole.write(head.getBytes(StandardCharsets.ISO_8859_1));
        if (!request.map(RequestHead::method).equals(Optional.of("HEAD"))) {
            whole.write(body);
        }
        whole.flush();
    }

    private static void closeQuietly(Socket caller) {
        try {
            caller.close();
        } catch (IOException closed) {
            // nobody is there to be told
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        limits.shutdownNow();
        open.forEach(HttpPort::closeQuietly);
    }
}

package dev.lightpath.app.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.lightpath.app.driver.TestIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Servers on loopback that answer as they are told, well or badly. What the one that speaks HTTP was asked is kept. */
public final class StrangeServer implements AutoCloseable {
    private static final int ONE_MEGABYTE = 1 << 20;

    /** @param authorization null: it was sent none */
    public record Asked(String method, String uri, @Nullable String authorization, String body) {}

    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ServerSocket> others = new ArrayList<>();
    private final HttpServer server;

    public StrangeServer() throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    private StrangeServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.start();
    }

    /** By TLS, with the certificate that {@link TestIdentity} made under this name in this folder. */
    public static StrangeServer secured(Path folder, String name) throws IOException, GeneralSecurityException {
        char[] password = "changeit".toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(folder.resolve(name + ".p12").toFile(), password), password);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        HttpsServer secured = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        secured.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new StrangeServer(secured);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    private void serve(HttpHandler handler) {
        server.createContext("/", exchange -> {
            asked.add(new Asked(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            handler.handle(exchange);
        });
    }

    public void answers(int code, String body) {
        serve(exchange -> answer(exchange, code, body));
    }

    /** To itself. */
    public void redirects(int code) {
        serve(exchange -> {
            exchange.getResponseHeaders().set("Location", "http://127.0.0.1:" + port() + "/elsewhere");
            answer(exchange, code, "words of a stranger");
        });
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = code == 204 ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /** Says 200 and sends blanks. */
    public void floods(int megabytes, boolean announcesLength) {
        serve(exchange -> {
            exchange.sendResponseHeaders(200, announcesLength ? (long) megabytes * ONE_MEGABYTE : 0);
            try (OutputStream out = exchange.getResponseBody()) {
                byte[] blanks = " ".repeat(ONE_MEGABYTE).getBytes(StandardCharsets.US_ASCII);
                for (int i = 0; i < megabytes; i++) {
                    out.write(blanks);
                }
            }
        });
    }

    /** Says 200 and sends a blank again and again, without end. */
    public void drips() {
        serve(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            try {
                while (true) {
                    out.write(' ');
                    out.flush();
                    Thread.sleep(100);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Returns the port of another server, which takes connections and never says anything. */
    public int silent() throws IOException {
        return listen().getLocalPort();
    }

    /** Returns the port of another server, which greets whoever connects, as SSH does. */
    public int ofAnotherProtocol() throws IOException {
        ServerSocket ssh = listen();
        threads.execute(() -> {
            try (Socket socket = ssh.accept()) {
                socket.getOutputStream().write("SSH-2.0-OpenSSH_9.9\r\n".getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
                socket.getInputStream().readAllBytes();
            } catch (IOException ended) {
                // the other side has what it needs
            }
        });
        return ssh.getLocalPort();
    }

    private ServerSocket listen() throws IOException {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        others.add(socket);
        return socket;
    }

    @Override
    public void close() throws IOException {
        server.stop(0);
        threads.shutdownNow();
        for (ServerSocket other : others) {
            other.close();
        }
    }
}

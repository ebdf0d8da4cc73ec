package dev.lightpath.sim.tl1;

import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.Tl1Spec;
import dev.lightpath.sim.scenario.Tl1Spec.Quirk;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One session of a client. */
final class Tl1Server {
    private static final int LONGEST = 1 << 20;
    private static final int LINES_OF_A_BLOCK = 8;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Tl1Spec spec;
    private final ManagedSwitch device;
    private final Tongue tongue;
    private final Socket socket;
    private final Tl1Front front;
    private volatile boolean known;
    private long askedNanos = System.nanoTime();
    private int told;

    Tl1Server(Tl1Spec spec, ManagedSwitch device, Tongue tongue, Socket socket, Tl1Front front) {
        this.spec = spec;
        this.device = device;
        this.tongue = tongue;
        this.socket = socket;
        this.front = front;
    }

    void start() {
        Thread.ofVirtual().name("tl1-session").start(this::run);
    }

    /** Ends the session without a word. */
    void end() {
        front.leave(this);
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    private void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (true) {
                String command = command(in);
                logOutWhoWasIdle();
                if (spec.quirks().contains(Quirk.TERMINAL)) {
                    write(command + ";\r\n");
                }
                answer(command.strip());
            }
        } catch (IOException over) {
            // the client is gone
        } finally {
            end();
        }
    }

    private void logOutWhoWasIdle() {
        long now = System.nanoTime();
        if (spec.quirks().contains(Quirk.LOGS_OUT) && now - askedNanos > IDLE.toNanos()) {
            known = false;
        }
        askedNanos = now;
    }

    private static String command(InputStream in) throws IOException {
        StringBuilder command = new StringBuilder();
        while (true) {
            int next = in.read();
            if (next < 0 || command.length() > LONGEST) {
                throw new IOException("over");
            }
            if (next == ';') {
                return command.toString();
            }
            command.append((char) next);
        }
    }

    private void answer(String command) throws IOException {
        List<String> parts = List.of(command.split(":", -1));
        String tag = parts.size() > 3 ? parts.get(3) : "0";
        if (spec.quirks().contains(Quirk.TERMINAL)) {
            write("IP " + tag + "\r\n<");
        }
        front.takeTime();
        String code = "COMPLD";
        List<String> lines;
        try {
            lines = carryOut(parts);
        } catch (Denied denied) {
            code = "DENY";
            String quoted = spec.quirks().contains(Quirk.QUOTES_INPUT) ? ": " + command : "";
            lines = List.of(denied.code(), "/*" + denied.getMessage() + quoted + "*/");
        }
        if (!device.reachable()) {
            end();
            return;
        }
        List<String> left = new ArrayList<>(lines);
        while (spec.quirks().contains(Quirk.BLOCKS) && left.size() > LINES_OF_A_BLOCK) {
            block("M  " + tag + " " + code, left.subList(0, LINES_OF_A_BLOCK), ">");
            left = left.subList(LINES_OF_A_BLOCK, left.size());
        }
        block("M  " + tag + " " + code, left, ";");
    }

    private synchronized void block(String head, List<String> lines, String end) throws IOException {
        StringBuilder block = new StringBuilder("\r\n\n   " + (spec.name().isEmpty() ? "( nil )" : spec.name())
                + " 26-01-01 00:00:00\r\n" + head + "\r\n");
        lines.forEach(line -> block.append("   ").append(line).append("\r\n"));
        write(block + end + "\r\n");
    }

    private synchronized void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /** Whether somebody has logged in. */
    boolean known() {
        return known;
    }

    void alarm(String port, boolean stands) {
        if (!known) {
            return;
        }
        try {
            block(
                    (stands ? "*C " : "A  ") + ++told + " REPT ALM PORT",
                    List.of("\"" + tongue.port(port) + ":" + (stands ? "CR" : "CL")
                            + ",LOS,SA,,,:\\\"Optical power\\\"\""),
                    ";");
        } catch (IOException e) {
            end();
        }
    }

    private List<String> carryOut(List<String> parts) throws Denied {
        if (parts.getFirst().equalsIgnoreCase("ACT-USER")) {
            if (!Tongue.part(parts, 2).equals(spec.user())
                    || !Tongue.part(parts, 5).equals(spec.password())) {
                throw new Denied("PICC", "Privilege, Illegal Command Code");
            }
            if (!front.admits()) {
                throw new Denied("SROF", "Status, No More Sessions");
            }
            known = true;
            return List.of();
        }
        if (!known) {
            throw new Denied("PLNA", "Privilege, Login Not Active");
        }
        List<String> lines = tongue.carryOut(parts);
        String verb = parts.getFirst().toUpperCase(Locale.ROOT);
        if (!verb.startsWith("RTRV-")) {
            front.note(socket.getInetAddress().getHostAddress(), verb + " " + Tongue.part(parts, 2));
        }
        return lines;
    }
}

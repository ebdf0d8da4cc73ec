package dev.lightpath.sim.tl1;

import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.Tl1Spec;
import dev.lightpath.sim.scenario.Tl1Spec.Quirk;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** One session of a client. */
final class Tl1Server {
    private static final int LONGEST = 1 << 20;
    private static final int LINES_OF_A_BLOCK = 8;

    /** The command is not done. */
    private static final class Denied extends Exception {
        private static final long serialVersionUID = 1L;
        private final String code;

        /** @param code of four letters, as TL1 has them */
        Denied(String code, String text) {
            super(text);
            this.code = code;
        }
    }

    private final Tl1Spec spec;
    private final ManagedSwitch device;
    private final Socket socket;
    private final Consumer<Tl1Server> gone;
    private volatile boolean known;
    private int told;

    Tl1Server(Tl1Spec spec, ManagedSwitch device, Socket socket, Consumer<Tl1Server> gone) {
        this.spec = spec;
        this.device = device;
        this.socket = socket;
        this.gone = gone;
    }

    void start() {
        Thread.ofVirtual().name("tl1-session").start(this::run);
    }

    /** Ends the session without a word. */
    void end() {
        gone.accept(this);
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
        String[] parts = command.split(":", -1);
        String tag = parts.length > 3 ? parts[3] : "0";
        if (spec.quirks().contains(Quirk.TERMINAL)) {
            write("IP " + tag + "\r\n<");
        }
        String code = "COMPLD";
        List<String> lines;
        try {
            lines = carryOut(parts);
        } catch (Denied denied) {
            code = "DENY";
            lines = List.of(denied.code, "/*" + denied.getMessage() + "*/");
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
                    List.of("\"" + port + ":" + (stands ? "CR" : "CL") + ",LOS,SA,,,:\\\"Optical power\\\"\""),
                    ";");
        } catch (IOException e) {
            end();
        }
    }

    private List<String> carryOut(String[] parts) throws Denied {
        String verb = parts[0].toUpperCase(Locale.ROOT);
        String aid = parts.length > 2 ? parts[2] : "";
        if (verb.equals("ACT-USER")) {
            String password = parts.length > 5 ? parts[5] : "";
            if (!aid.equals(spec.user()) || !password.equals(spec.password())) {
                throw new Denied("PICC", "Privilege, Illegal Command Code");
            }
            known = true;
            return List.of();
        }
        if (!known) {
            throw new Denied("PLNA", "Privilege, Login Not Active");
        }
        return switch (verb) {
            case "RTRV-EQPT" -> quoted(List.of("SYSTEM:SIZE=" + device.size()));
            case "RTRV-INV" -> quoted(List.of("OCS:SN=" + device.serial() + ",HW=1"));
            case "RTRV-NETYPE" -> quoted(List.of("Lightpath,E" + device.size() + ",OXC," + device.firmware()));
            case "RTRV-PATCH" ->
                quoted(device.circuits().entrySet().stream()
                        .map(circuit -> circuit.getKey() + "," + circuit.getValue())
                        .toList());
            case "RTRV-PORT-POWER" -> power();
            case "ENT-PATCH" -> enter(aid);
            case "DLT-PATCH" -> delete(aid);
            default -> throw new Denied("ICNV", "Input, Command Not Valid");
        };
    }

    private static List<String> quoted(List<String> lines) {
        return lines.stream().map(line -> "\"" + line + "\"").toList();
    }

    private List<String> power() throws Denied {
        if (spec.quirks().contains(Quirk.NO_METERS)) {
            throw new Denied("SNVS", "Status, Not in Valid State");
        }
        return quoted(device.ports().stream()
                .filter(row -> !Double.isNaN(row.powerDbm()))
                .map(row -> String.format(Locale.ROOT, "%s:%.2f", row.port(), row.powerDbm()))
                .toList());
    }

    private List<String> enter(String aid) throws Denied {
        String[] ports = aid.split(",", -1);
        if (ports.length != 2 || !device.hasPort(ports[0]) || !device.hasPort(ports[1])) {
            throw new Denied("IIAC", "Input, Invalid Access Identifier");
        }
        List<Move> before = new ArrayList<>();
        for (Map.Entry<String, String> circuit : device.circuits().entrySet()) {
            List<String> both = List.of(circuit.getKey(), circuit.getValue());
            if (both.contains(ports[0]) || both.contains(ports[1])) {
                before.add(new Move(circuit.getKey(), circuit.getValue()));
            }
        }
        if (!before.isEmpty() && !spec.quirks().contains(Quirk.REPLACES)) {
            throw new Denied("SAIN", "Status, Already In use");
        }
        move(before, List.of(new Move(ports[0], ports[1])));
        return List.of();
    }

    private List<String> delete(String aid) throws Denied {
        for (Map.Entry<String, String> circuit : device.circuits().entrySet()) {
            if (circuit.getKey().equals(aid) || circuit.getValue().equals(aid)) {
                move(List.of(new Move(circuit.getKey(), circuit.getValue())), List.of());
                return List.of();
            }
        }
        throw new Denied("SNCN", "Status, Not Connected");
    }

    private void move(List<Move> disconnects, List<Move> connects) throws Denied {
        BatchOutcome outcome;
        try {
            outcome = device.move(disconnects, connects);
        } catch (IllegalStateException e) {
            throw new Denied("SROF", String.valueOf(e.getMessage()));
        }
        List<MoveOutcome> all = new ArrayList<>(outcome.disconnects());
        all.addAll(outcome.connects());
        for (MoveOutcome each : all) {
            if (each.state() == ConnectionState.FAILED) {
                throw new Denied("SROF", each.text().isEmpty() ? each.error().name() : each.text());
            }
        }
    }
}

package dev.lightpath.sim.netconf;

import dev.lightpath.sim.scenario.NetconfSpec;
import dev.lightpath.sim.scenario.NetconfSpec.Quirk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** One session of a client. */
final class NetconfServer implements Command {
    private static final String BASE = "urn:ietf:params:xml:ns:netconf:base:1.0";
    private static final String SWITCH = "http://www.polatis.com/yang/optical-switch";
    private static final String MARK = "]]>]]>";
    private static final int MOST_BYTES = 4 << 20;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final NetconfSpec spec;
    private final Datastores datastores;
    private InputStream in = InputStream.nullInputStream();
    private OutputStream out = OutputStream.nullOutputStream();
    private volatile String address = "";
    private volatile Runnable hangUp = () -> {};
    private volatile boolean chunked;
    private volatile boolean subscribed;
    private volatile boolean ended;
    private long askedNanos = System.nanoTime();

    NetconfServer(NetconfSpec spec, Datastores datastores) {
        this.spec = spec;
        this.datastores = datastores;
    }

    @Override
    public void setInputStream(InputStream stream) {
        in = stream;
    }

    @Override
    public void setOutputStream(OutputStream stream) {
        out = stream;
    }

    @Override
    public void setErrorStream(OutputStream stream) {}

    @Override
    public void setExitCallback(ExitCallback callback) {}

    @Override
    public void start(ChannelSession channel, Environment environment) {
        if (channel.getSession().getIoSession().getRemoteAddress() instanceof InetSocketAddress client) {
            address = client.getAddress().getHostAddress();
        }
        hangUp = () -> channel.getSession().close(true);
        Thread.ofVirtual().name("netconf-session").start(this::run);
    }

    @Override
    public void destroy(ChannelSession channel) {
        datastores.leave(this);
    }

    /** Ends the session without a word. */
    void end() {
        if (!ended) {
            ended = true;
            datastores.leave(this);
            hangUp.run();
        }
    }

    private void run() {
        try {
            write(hello());
            Element greeting = parse(read());
            chunked = spec.chunks() && capabilities(greeting).contains("urn:ietf:params:netconf:base:1.1");
            while (!ended) {
                Element rpc = parse(read());
                if (wasIdle()) {
                    end();
                } else {
                    answer(rpc);
                }
            }
        } catch (IOException | SAXException over) {
            // the client is gone, or is no client
        } finally {
            end();
        }
    }

    private boolean wasIdle() {
        long before = askedNanos;
        askedNanos = System.nanoTime();
        return !subscribed && spec.quirks().contains(Quirk.ENDS_IDLE) && askedNanos - before > IDLE.toNanos();
    }

    private String hello() {
        StringBuilder all = new StringBuilder("<hello xmlns=\"" + BASE + "\"><capabilities>");
        List<String> capabilities = new ArrayList<>(List.of("urn:ietf:params:netconf:base:1.0"));
        if (spec.chunks()) {
            capabilities.add("urn:ietf:params:netconf:base:1.1");
        }
        String kind = "urn:ietf:params:netconf:capability:";
        if (spec.candidate()) {
            capabilities.add(kind + "candidate:1.0");
        } else {
            capabilities.add(kind + "writable-running:1.0");
            capabilities.add(kind + "rollback-on-error:1.0");
        }
        if (spec.notifications()) {
            capabilities.add(kind + "notification:1.0");
        }
        capabilities.add(SWITCH + "?module=optical-switch&amp;revision=" + spec.revision());
        capabilities.forEach(c -> all.append("<capability>").append(c).append("</capability>"));
        return all.append("</capabilities><session-id>1</session-id></hello>").toString();
    }

    private static List<String> capabilities(Element hello) {
        List<String> all = new ArrayList<>();
        NodeList said = hello.getElementsByTagNameNS("*", "capability");
        for (int i = 0; i < said.getLength(); i++) {
            all.add(said.item(i).getTextContent().strip());
        }
        return all;
    }

    private void answer(Element rpc) throws IOException {
        datastores.takeTime();
        String id = rpc.getAttribute("message-id");
        String body;
        boolean last = false;
        try {
            Element operation = children(rpc).stream()
                    .findFirst()
                    .orElseThrow(() -> new RpcError("missing-element", "an rpc without an operation"));
            last = operation.getLocalName().equals("close-session");
            body = carryOut(operation);
        } catch (RpcError error) {
            body = "<rpc-error><error-type>application</error-type><error-tag>" + error.tag()
                    + "</error-tag><error-severity>error</error-severity><error-message>"
                    + escaped(String.valueOf(error.getMessage())) + "</error-message></rpc-error>";
        }
        if (!ended && datastores.reachable()) {
            write("<rpc-reply message-id=\"" + escaped(id) + "\" xmlns=\"" + BASE + "\">" + body + "</rpc-reply>");
        }
        if (last || !datastores.reachable()) {
            end();
        }
    }

    private String carryOut(Element operation) throws RpcError {
        switch (operation.getLocalName()) {
            case "get", "get-config" -> {
                if (spec.quirks().contains(Quirk.ENDS_AT_LIMITS)
                        && asks(child(operation, "filter"), "opm-alarm-config")) {
                    end();
                }
                return "<data>" + data(operation) + "</data>";
            }
            case "lock" -> datastores.lock(target(operation), this);
            case "unlock" -> datastores.unlock(target(operation), this);
            case "edit-config" -> datastores.edit(target(operation), edits(operation), this);
            case "commit" -> candidateOnly(() -> datastores.commit(this));
            case "discard-changes" -> candidateOnly(() -> datastores.discard(this));
            case "port-set-state" -> {
                for (Element leaf : children(operation)) {
                    datastores.shutter(
                            leaf.getTextContent().strip(), leaf.getLocalName().equals("port-disab"));
                }
            }
            case "create-subscription" -> {
                if (!spec.notifications()) {
                    throw new RpcError("operation-not-supported", "no notifications");
                }
                subscribed = true;
            }
            case "close-session" -> {}
            default -> throw new RpcError("operation-not-supported", operation.getLocalName());
        }
        return "<ok/>";
    }

    /** A step that may be refused. */
    @FunctionalInterface
    private interface Step {
        void take() throws RpcError;
    }

    private void candidateOnly(Step step) throws RpcError {
        if (!spec.candidate()) {
            throw new RpcError("operation-not-supported", "there is no candidate");
        }
        step.take();
    }

    private String target(Element operation) throws RpcError {
        String name = child(operation, "target")
                .flatMap(t -> children(t).stream().findFirst())
                .map(Node::getLocalName)
                .orElse("");
        if (!name.equals("running") && !(name.equals("candidate") && spec.candidate())) {
            throw new RpcError("operation-not-supported", "target '" + name + "'");
        }
        if (name.equals("running")
                && spec.candidate()
                && operation.getLocalName().equals("edit-config")) {
            throw new RpcError("operation-not-supported", "running is changed by commit only");
        }
        return name;
    }

    private String pairName() {
        return spec.revision().compareTo("2017-08-04") < 0 ? "pairs" : "pair";
    }

    private List<Datastores.Edit> edits(Element operation) throws RpcError {
        List<Datastores.Edit> edits = new ArrayList<>();
        Optional<Element> list = child(operation, "config").flatMap(c -> child(c, "cross-connects"));
        if (list.isPresent()) {
            for (Element each : children(list.get())) {
                if (!each.getLocalName().equals(pairName()) || !SWITCH.equals(each.getNamespaceURI())) {
                    throw new RpcError("unknown-element", each.getLocalName());
                }
                edits.add(new Datastores.Edit(
                        each.getAttributeNS(BASE, "operation"), text(each, "ingress"), text(each, "egress")));
            }
        }
        return edits;
    }

    private String data(Element operation) {
        Optional<Element> filter = child(operation, "filter");
        StringBuilder data = new StringBuilder();
        if (asks(filter, "product-information")) {
            data.append("<product-information xmlns=\"" + SWITCH + "\"><manufacturer>Lightpath</manufacturer>")
                    .append("<serial-number>" + datastores.serial() + "</serial-number>")
                    .append("<model-name>" + datastores.model() + "</model-name>")
                    .append("<software-version>" + escaped(datastores.firmware()) + "</software-version>")
                    .append("</product-information>");
        }
        if (asks(filter, "cross-connects")) {
            data.append("<cross-connects xmlns=\"" + SWITCH + "\">");
            for (Map.Entry<String, String> each : datastores.running().entrySet()) {
                data.append("<" + pairName() + "><ingress>" + each.getKey() + "</ingress><egress>" + each.getValue()
                        + "</egress></" + pairName() + ">");
            }
            data.append("</cross-connects>");
        }
        limits(filter, data);
        if (operation.getLocalName().equals("get")) {
            state(filter, data);
        }
        return data.toString();
    }

    private void state(Optional<Element> filter, StringBuilder data) {
        List<Datastores.PortRow> ports = datastores.ports();
        if (asks(filter, "port-config")) {
            data.append("<port-config xmlns=\"" + SWITCH + "\">");
            ports.forEach(row -> data.append("<port><port-id>" + row.port() + "</port-id><status>" + row.status()
                    + "</status>"
                    + (row.farEnd().isEmpty() ? "" : "<peer-port>" + escaped(row.farEnd()) + "</peer-port>")
                    + "</port>"));
            data.append("</port-config>");
        }
        if (asks(filter, "opm-power")) {
            data.append("<opm-power xmlns=\"" + SWITCH + "\">");
            ports.stream()
                    .filter(row -> !Double.isNaN(row.powerDbm()))
                    .forEach(row -> data.append("<port><port-id>" + row.port() + "</port-id><power>"
                            + Math.round(row.powerDbm() * 100) / 100.0 + "</power></port>"));
            data.append("</opm-power>");
        }
        if (asks(filter, "voa")) {
            data.append("<voa xmlns=\"" + SWITCH + "\">");
            ports.stream()
                    .filter(row -> !Double.isNaN(row.attenuationDb()))
                    .forEach(row -> data.append(attenuator(row)));
            data.append("</voa>");
        }
    }

    private void limits(Optional<Element> filter, StringBuilder data) {
        Datastores.Limits limits = datastores.limits();
        if (asks(filter, "opm-alarm-config")) {
            data.append("<opm-alarm-config xmlns=\"" + SWITCH + "\">");
            List<Datastores.PortRow> ports = datastores.ports();
            if (spec.quirks().contains(Quirk.STRANGE_LIMITS)) {
                data.append(limit(Integer.toString(ports.size() + 1), limits));
            }
            ports.forEach(row -> data.append(limit(row.port(), limits)));
            data.append("</opm-alarm-config>");
        }
        if (asks(filter, "system-config")) {
            data.append("<system-config xmlns=\"" + SWITCH + "\"><alarm-clear-hysteresis>" + limits.hysteresisDb()
                    + "</alarm-clear-hysteresis></system-config>");
        }
    }

    private static String limit(String port, Datastores.Limits limits) {
        return "<port><port-id>" + port + "</port-id><mode>POWER_ALARM_ENABLED</mode><signal-low-threshold>"
                + limits.lowDbm() + "</signal-low-threshold><signal-degrade-threshold>" + limits.lowDbm()
                + "</signal-degrade-threshold><signal-high-threshold>" + limits.highDbm()
                + "</signal-high-threshold><alarm-clear-holdoff>0</alarm-clear-holdoff></port>";
    }

    /** What is set behind the protocol is shown as relative to the ingress, the model's default. */
    private static String attenuator(Datastores.PortRow row) {
        String mode = row.attenuationDb() == 0
                ? "<atten-mode>VOA_MODE_NONE</atten-mode>"
                : "<atten-mode>VOA_MODE_RELATIVE</atten-mode><atten-level>"
                        + Math.round(row.attenuationDb() * 100) / 100.0 + "</atten-level>";
        return "<port><port-id>" + row.port() + "</port-id>" + mode + "</port>";
    }

    private static boolean asks(Optional<Element> filter, String container) {
        return filter.isEmpty() || child(filter.get(), container).isPresent();
    }

    /** Where the client is. */
    String address() {
        return address;
    }

    /**
     * Sends a notification, if the client asked for them.
     *
     * @param content with the time of the event
     */
    void notify(String content) {
        if (subscribed) {
            try {
                write("<notification xmlns=\"urn:ietf:params:xml:ns:netconf:notification:1.0\">" + content
                        + "</notification>");
            } catch (IOException gone) {
                end();
            }
        }
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private static List<Element> children(Element parent) {
        List<Element> all = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                all.add(element);
            }
        }
        return all;
    }

    private static Optional<Element> child(Element parent, String name) {
        return children(parent).stream()
                .filter(c -> c.getLocalName().equals(name))
                .findFirst();
    }

    private static String text(Element parent, String name) {
        return child(parent, name).map(c -> c.getTextContent().strip()).orElse("");
    }

    private synchronized void write(String message) throws IOException {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        if (chunked) {
            // two chunks, as servers send long messages
            int half = bytes.length / 2;
            chunk(bytes, 0, half);
            chunk(bytes, half, bytes.length - half);
            out.write("\n##\n".getBytes(StandardCharsets.US_ASCII));
        } else {
            out.write(bytes);
            out.write(MARK.getBytes(StandardCharsets.US_ASCII));
        }
        out.flush();
    }

    private void chunk(byte[] bytes, int from, int size) throws IOException {
        out.write(("\n#" + size + "\n").getBytes(StandardCharsets.US_ASCII));
        out.write(bytes, from, size);
    }

    private byte[] read() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            if (chunked) {
                String head = head();
                if (head.equals("##")) {
                    return message.toByteArray();
                }
                int size = head.matches("#[1-9][0-9]{0,8}") ? Integer.parseInt(head.substring(1)) : MOST_BYTES + 1;
                bounded(message.size() + size);
                message.writeBytes(in.readNBytes(size));
            } else {
                message.write(next());
                bounded(message.size());
                String tail = message.size() < MARK.length() ? "" : tail(message.toByteArray());
                if (tail.equals(MARK)) {
                    byte[] all = message.toByteArray();
                    return java.util.Arrays.copyOf(all, all.length - MARK.length());
                }
            }
        }
    }

    private static String tail(byte[] bytes) {
        return bytes[bytes.length - 1] == '>'
                ? new String(bytes, bytes.length - MARK.length(), MARK.length(), StandardCharsets.ISO_8859_1)
                : "";
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = next(); next != '\n' || head.isEmpty(); next = next()) {
            if (next != '\n') {
                head.append((char) next);
            }
            bounded(head.length());
        }
        return head.toString();
    }

    private int next() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException();
        }
        return next;
    }

    private static void bounded(int size) throws IOException {
        if (size > MOST_BYTES) {
            throw new IOException("a message of more than " + MOST_BYTES + " bytes");
        }
    }

    private static Element parse(byte[] message) throws IOException, SAXException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            Document document = factory.newDocumentBuilder().parse(new ByteArrayInputStream(message));
            return document.getDocumentElement();
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.subsystem.SubsystemFactory;

/** A NETCONF server that answers as a test says. */
final class ScriptedNetconf implements AutoCloseable {
    static final String PASSWORD = "s3cr3t-and-right";
    private static final String END = "]]>]]>";

    private final SshServer server;
    private final String hostKey;

    /**
     * @param capabilities of its hello, beside those that the adapter needs
     * @param answer to a message, by its number and its text
     */
    ScriptedNetconf(List<String> capabilities, BinaryOperator<String> answer) throws Exception {
        StringBuilder hello =
                new StringBuilder("<hello xmlns=\"urn:ietf:params:xml:ns:netconf:base:1.0\"><capabilities>");
        for (String each : capabilities) {
            hello.append("<capability>").append(each).append("</capability>");
        }
        String said = hello.append("""
                <capability>urn:ietf:params:netconf:base:1.0</capability>
                <capability>urn:ietf:params:netconf:capability:candidate:1.0</capability>
                <capability>http://www.polatis.com/yang/optical-switch?module=optical-switch&amp;revision=2018-03-22</capability>
                </capabilities><session-id>1</session-id></hello>
                """).toString();
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair key = generator.generateKeyPair();
        hostKey = KeyUtils.getFingerPrint(key.getPublic());
        server = SshServer.setUpDefaultServer();
        server.setHost("127.0.0.1");
        server.setKeyPairProvider(KeyPairProvider.wrap(key));
        server.setPasswordAuthenticator((user, password, session) -> PASSWORD.equals(password));
        server.setSubsystemFactories(List.of(new SubsystemFactory() {
            @Override
            public String getName() {
                return "netconf";
            }

            @Override
            public Command createSubsystem(ChannelSession channel) {
                return new Answering(said, answer);
            }
        }));
        server.start();
    }

    /** @param directory gets the file with the password */
    AdapterConfig adapter(Path directory) throws IOException {
        return new AdapterConfig.NetconfPolatis(List.of(new NetconfDevice(
                "ocs-1",
                "127.0.0.1",
                server.getPort(),
                "admin",
                Optional.of(Files.writeString(directory.resolve("password"), PASSWORD)),
                Optional.empty(),
                hostKey,
                "16xCC",
                "",
                Duration.ofSeconds(1))));
    }

    private static final class Answering implements Command {
        private static final Pattern ID = Pattern.compile("message-id=\"([0-9]+)\"");

        private final String hello;
        private final BinaryOperator<String> answer;
        private InputStream in = InputStream.nullInputStream();
        private OutputStream out = OutputStream.nullOutputStream();

        Answering(String hello, BinaryOperator<String> answer) {
            this.hello = hello;
            this.answer = answer;
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
            Thread.ofVirtual().start(() -> {
                try {
                    say(hello);
                    for (String asked = message(); !asked.isEmpty(); asked = message()) {
                        Matcher id = ID.matcher(asked);
                        if (id.find()) {
                            say(answer.apply(id.group(1), asked));
                        }
                    }
                } catch (IOException e) {
                    // the driver is gone
                }
            });
        }

        private void say(String message) throws IOException {
            out.write((message + END).getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        private String message() throws IOException {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                message.write(next);
                if (next == '>' && message.toString(StandardCharsets.UTF_8).endsWith(END)) {
                    return message.toString(StandardCharsets.UTF_8);
                }
            }
            return "";
        }

        @Override
        public void destroy(ChannelSession channel) {}
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
    }
}

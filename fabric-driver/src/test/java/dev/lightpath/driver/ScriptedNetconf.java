package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.channel.ChannelSession;

/** A NETCONF server that answers as a test says. */
final class ScriptedNetconf implements AutoCloseable {
    static final String PASSWORD = "s3cr3t-and-right";
    private static final String END = "]]>]]>";

    private final SshNetconf server;

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
        server = new SshNetconf(PASSWORD::equals, Optional.of(channel -> new Answering(said, answer)));
    }

    /** @param directory gets the file with the password */
    AdapterConfig adapter(Path directory) throws IOException {
        return new AdapterConfig.NetconfPolatis(List.of(
                server.device(directory, "ocs-1", server.port(), "admin", PASSWORD, "16xCC", Duration.ofSeconds(1))));
    }

    private static final class Answering extends SshNetconf.Session {
        private static final Pattern ID = Pattern.compile("message-id=\"([0-9]+)\"");

        private final String hello;
        private final BinaryOperator<String> answer;

        Answering(String hello, BinaryOperator<String> answer) {
            this.hello = hello;
            this.answer = answer;
        }

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
        server.close();
    }
}

package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.session.LostException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that does not behave costs the driver its connection, and nothing more. */
final class ConnectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final byte[] HELLO = {5, Message.HELLO, 0, 8, 0, 0, 0, 0};

    private Socket device;
    private Connection connection;

    @BeforeEach
    void connect() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            device = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
            connection = new Connection(server.accept());
        }
        device.getOutputStream().write(HELLO);
        connection.begin(PATIENCE);
    }

    @AfterEach
    void close() throws IOException {
        device.close();
        connection.close();
    }

    private void awaitEnd() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(connection::isOver);
    }

    /** Writes a message again and again until the driver has had enough. */
    private void flood(int type, int xid, byte[] body) {
        Thread.ofVirtual().start(() -> {
            byte[] message = new Message(5, type, xid, body).bytes();
            try {
                OutputStream out = device.getOutputStream();
                while (true) {
                    out.write(message);
                }
            } catch (IOException ended) {
                // as it should be
            }
        });
    }

    @Test
    void aDeviceThatDoesNotReadIsGivenUp() {
        flood(Message.ECHO_REQUEST, 1, new byte[65_000]);
        awaitEnd();
        assertThat(connection.why()).contains("the device does not read what it is sent");
    }

    @Test
    void anAnswerWithoutEndIsNotKept() throws Exception {
        byte[] part = ByteBuffer.allocate(65_000)
                .putShort((short) 1)
                .putShort((short) 1)
                .array();
        AtomicLong sent = new AtomicLong();
        Thread.ofVirtual().start(() -> answerForEver(part, sent));
        assertThatThrownBy(() -> connection.parts(1, new byte[0], Duration.ofSeconds(60)))
                .isInstanceOf(LostException.class)
                .hasMessageContaining("an answer of more than 16 MiB");
        assertThat(connection.isOver()).isTrue();
        assertThat(sent).as("bytes that the device got rid of").hasValueLessThan(64 << 20);
    }

    /** Every part of it says that more follow. */
    private void answerForEver(byte[] part, AtomicLong sent) {
        try {
            Message asked = nextOf(Message.MULTIPART_REQUEST);
            byte[] message = new Message(5, Message.MULTIPART_REPLY, asked.xid(), part).bytes();
            while (true) {
                device.getOutputStream().write(message);
                sent.addAndGet(message.length);
            }
        } catch (IOException ended) {
            // as it should be
        }
    }

    /** Devices number what they tell by themselves as they like, also as a question that is not answered yet. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Message.PACKET_IN,
                Message.FLOW_REMOVED,
                Message.PORT_STATUS,
                Message.ROLE_STATUS,
                Message.TABLE_STATUS,
                Message.REQUEST_FORWARD
            })
    void whatADeviceTellsByItselfIsNoAnswer(int type) throws Exception {
        List<Integer> heard = new CopyOnWriteArrayList<>();
        connection.listen(message -> heard.add(message.type()));
        Thread.ofVirtual().start(() -> answerAfter(type));
        Message answer = connection.ask(Message.BARRIER_REQUEST, new byte[0], PATIENCE);
        assertThat(answer.type()).isEqualTo(Message.BARRIER_REPLY);
        assertThat(heard).containsExactly(type);
    }

    private void answerAfter(int type) {
        try {
            Message asked = nextOf(Message.BARRIER_REQUEST);
            OutputStream out = device.getOutputStream();
            out.write(new Message(5, type, asked.xid(), new byte[24]).bytes());
            out.write(new Message(5, Message.BARRIER_REPLY, asked.xid(), new byte[0]).bytes());
        } catch (IOException ended) {
            // the test says so
        }
    }

    private Message nextOf(int type) throws IOException {
        DataInputStream in = new DataInputStream(device.getInputStream());
        Message asked = read(in);
        while (asked.type() != type) {
            asked = read(in);
        }
        return asked;
    }

    private static Message read(DataInputStream in) throws IOException {
        int version = in.readUnsignedByte();
        int type = in.readUnsignedByte();
        int length = in.readUnsignedShort();
        int xid = in.readInt();
        byte[] body = new byte[length - Message.HEADER];
        in.readFully(body);
        return new Message(version, type, xid, body);
    }
}

package dev.lightpath.driver.cmis;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/**
 * The bus of an emulated node, over TCP: module, 'R' or 'W', offset, length, and the bytes of a write. The answer is 0
 * and the bytes of a read, or 1: not acknowledged. With 'r' or 'w' a bank and a page come before the offset, which are
 * selected in the same transaction; the answer to 'r' has the bank and page that are shown before the bytes.
 */
final class SocketRegisters implements Registers {
    private static final int CONNECT_MILLIS = 1000;
    private static final int ANSWER_MILLIS = 2000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;
    private final String where;
    private final int module;

    SocketRegisters(String host, int port, int module) throws NotAnsweredException {
        this.where = host + ":" + port;
        this.module = module;
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            in = new DataInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException e) {
            close();
            throw new NotAnsweredException("bus " + where + " cannot be reached: " + e.getMessage());
        }
    }

    private synchronized byte[] ask(byte[] request, int length) throws BusyException, NotAnsweredException {
        try {
            out.write(request);
            out.flush();
            int answer = in.readByte();
            if (answer == 1) {
                throw new BusyException("it does not acknowledge (NACK)");
            }
            if (answer != 0) {
                throw new NotAnsweredException("bus " + where + " answered " + answer + ", allowed are 0 and 1");
            }
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            return bytes;
        } catch (IOException e) {
            close();
            throw new NotAnsweredException("bus " + where + " is lost: " + e.getMessage());
        }
    }

    @Override
    public byte[] read(int offset, int length) throws BusyException, NotAnsweredException {
        return ask(new byte[] {(byte) module, 'R', (byte) offset, (byte) length}, length);
    }

    @Override
    public void write(int offset, byte[] bytes) throws BusyException, NotAnsweredException {
        var unused = ask(and(bytes, module, 'W', offset, bytes.length), 0);
    }

    @Override
    public Shown read(int bank, int page, int offset, int length) throws BusyException, NotAnsweredException {
        byte[] answer = ask(and(new byte[0], module, 'r', bank, page, offset, length), 2 + length);
        return new Shown(answer[0] & 0xFF, answer[1] & 0xFF, Arrays.copyOfRange(answer, 2, answer.length));
    }

    @Override
    public void write(int bank, int page, int offset, byte[] bytes) throws BusyException, NotAnsweredException {
        var unused = ask(and(bytes, module, 'w', bank, page, offset, bytes.length), 0);
    }

    private static byte[] and(byte[] bytes, int... head) {
        byte[] request = new byte[head.length + bytes.length];
        for (int i = 0; i < head.length; i++) {
            request[i] = (byte) head[i];
        }
        System.arraycopy(bytes, 0, request, head.length, bytes.length);
        return request;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }
}

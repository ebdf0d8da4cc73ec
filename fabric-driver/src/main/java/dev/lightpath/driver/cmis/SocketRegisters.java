package dev.lightpath.driver.cmis;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * The bus of an emulated node, over TCP: module, 'R' or 'W', offset, length, and the bytes of a write. The answer is 0 and
 * the bytes of a read, or 1: not acknowledged.
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
        byte[] request = new byte[4 + bytes.length];
        request[0] = (byte) module;
        request[1] = 'W';
        request[2] = (byte) offset;
        request[3] = (byte) bytes.length;
        System.arraycopy(bytes, 0, request, 4, bytes.length);
        var unused = ask(request, 0);
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

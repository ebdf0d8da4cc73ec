package dev.lightpath.app.driver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A certificate for localhost and its key, made by the JDK's own keytool. */
public record TestIdentity(String certificate, String privateKey) {
    /** Self-signed. */
    public static TestIdentity make(Path folder, String name) throws IOException, InterruptedException {
        return make(folder, name, name, "-validity", "2");
    }

    /** What an authority of this folder signed, that expired yesterday. */
    static TestIdentity expired(Path folder, String authority, String name) throws IOException, InterruptedException {
        return make(folder, authority, name, "-signer", authority, "-startdate", "-3d", "-validity", "2");
    }

    /** What signs others. */
    static TestIdentity authority(Path folder, String name) throws IOException, InterruptedException {
        return make(folder, name, name, "-validity", "2", "-ext", "bc:c");
    }

    /** What an authority of this folder signed. */
    static TestIdentity signed(Path folder, String authority, String name) throws IOException, InterruptedException {
        return make(folder, authority, name, "-signer", authority, "-validity", "2");
    }

    private static TestIdentity make(Path folder, String store, String name, String... more)
            throws IOException, InterruptedException {
        Path file = folder.resolve(store + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // half the time to start
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                // the password is known to all: nothing is gained by making it slow to guess
                "-J-Dkeystore.pkcs12.keyPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.macIterationCount=1",
                "-genkeypair"));
        command.addAll(List.of("-alias", name, "-dname", "CN=" + name, "-ext", "san=dns:localhost", "-keyalg", "EC"));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", "changeit"));
        command.addAll(List.of(more));
        Process keytool = new ProcessBuilder(command).inheritIO().start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed with exit code " + keytool.exitValue());
        }
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, "changeit".toCharArray());
            return new TestIdentity(
                    pem("CERTIFICATE", keys.getCertificate(name).getEncoded()),
                    pem(
                            "PRIVATE KEY",
                            keys.getKey(name, "changeit".toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static String pem(String what, byte[] der) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END " + what + "-----\n";
    }
}

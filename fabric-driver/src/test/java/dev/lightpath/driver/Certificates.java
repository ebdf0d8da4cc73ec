package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate authority for one test, made with the JDK's keytool. */
public final class Certificates {
    private static final String PASSWORD = "changeit";

    private final Path directory;

    public Certificates(Path directory) throws Exception {
        this.directory = directory;
        pair("-alias", "ca", "-dname", "CN=test-ca", "-ext", "bc:c", "-ext", "ku:c=keyCertSign");
        write("ca");
    }

    /** Makes {@code name.crt} and {@code name.key}, signed by {@code ca.crt}. */
    public void issue(String name, String san) throws Exception {
        pair("-alias", name, "-dname", "CN=" + name, "-signer", "ca", "-ext", "san=" + san);
        write(name);
    }

    /** As above; it expired yesterday. */
    void issueExpired(String name, String san) throws Exception {
        pair("-alias", name, "-dname", "CN=" + name, "-signer", "ca", "-ext", "san=" + san, "-startdate", "-3d");
        write(name);
    }

    /** Makes {@code name.crt} anew for the key that is there, signed by that key. */
    public void renew(String name) throws Exception {
        keytool("-selfcert", "-alias", name);
        write(name);
    }

    public Path path(String file) {
        return directory.resolve(file);
    }

    private void write(String alias) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(path("store.p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        Files.writeString(
                path(alias + ".crt"),
                pem("CERTIFICATE", store.getCertificate(alias).getEncoded()));
        Files.writeString(
                path(alias + ".key"),
                pem("PRIVATE KEY", store.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind + "-----\n";
    }

    private void pair(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
        all.addAll(List.of(arguments));
        keytool(all.toArray(String[]::new));
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // half the time to start
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                // the password is known to all: nothing is gained by making it slow to guess
                "-J-Dkeystore.pkcs12.keyPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.macIterationCount=1"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", path("store.p12").toString(), "-storepass", PASSWORD));
        command.addAll(List.of("-validity", "2", "-storetype", "PKCS12"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }
}

package dev.lightpath.cli.certificates;

import dev.lightpath.console.text.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate authority in a key store file, served by the JDK's keytool. */
final class CertificateAuthority {
    /** The file's permissions protect the key: a password beside it would not. */
    private static final String PASSWORD = "changeit";

    private static final String CA = "ca";
    private static final String LEAF = "leaf";
    private static final long KEYTOOL_SECONDS = 60;

    private final Path store;

    private CertificateAuthority(Path store) {
        this.store = store;
    }

    /** What one side of a connection needs, as PEM. */
    record Identity(String authority, String certificate, String key) {}

    /**
     * The authority of a folder, made if there is none.
     *
     * @param days that a new one is valid
     * @throws BadInput when the folder or its key store cannot be used
     */
    static CertificateAuthority in(Path folder, int days) {
        Path store = folder.resolve("ca.p12");
        CertificateAuthority authority = new CertificateAuthority(store);
        try {
            Files.createDirectories(folder);
            if (!Files.exists(store)) {
                make(folder, store, days);
            }
            authority.certificate(authority.load(store), CA);
        } catch (IOException | GeneralSecurityException e) {
            throw new BadInput("--authority: " + store + " cannot be used: " + e.getMessage(), e);
        }
        return authority;
    }

    /** Its key is never where somebody else may read it, also when this ends half way: the password is known to all. */
    private static void make(Path folder, Path store, int days) throws IOException {
        Path own = Files.createTempDirectory(folder, ".making-"); // which nobody else may enter
        Path made = own.resolve("ca.p12");
        try {
            new CertificateAuthority(made)
                    .keytool(
                            "-genkeypair",
                            "-alias",
                            CA,
                            "-dname",
                            "CN=lightpath-ca",
                            "-keyalg",
                            "EC",
                            "-groupname",
                            "secp256r1",
                            "-validity",
                            Integer.toString(days),
                            "-ext",
                            "bc:c",
                            "-ext",
                            "ku:c=keyCertSign");
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
            Files.move(made, store, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
            Files.delete(own);
        }
    }

    /**
     * A new key and a certificate of it for these DNS names.
     *
     * @throws BadInput when the authority cannot sign it
     */
    Identity issue(List<String> dnsNames, int days) {
        try {
            Path folder = Files.createTempDirectory("lightpath-certificates");
            Path copy = folder.resolve("leaf.p12");
            try {
                Files.copy(store, copy);
                CertificateAuthority work = new CertificateAuthority(copy);
                work.keytool(
                        "-genkeypair",
                        "-alias",
                        LEAF,
                        "-dname",
                        "CN=" + dnsNames.getFirst(),
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-signer",
                        CA,
                        "-validity",
                        Integer.toString(days),
                        "-ext",
                        "san="
                                + String.join(
                                        ",",
                                        dnsNames.stream()
                                                .map(name -> "dns:" + name)
                                                .toList()),
                        "-ext",
                        "eku=serverAuth,clientAuth");
                KeyStore loaded = work.load(copy);
                return new Identity(
                        pem("CERTIFICATE", work.certificate(loaded, CA)),
                        pem("CERTIFICATE", work.certificate(loaded, LEAF)),
                        pem(
                                "PRIVATE KEY",
                                loaded.getKey(LEAF, PASSWORD.toCharArray()).getEncoded()));
            } finally {
                Files.deleteIfExists(copy);
                Files.delete(folder);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new BadInput("no certificate for " + dnsNames.getFirst() + ": " + e.getMessage(), e);
        }
    }

    private KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            loaded.load(in, PASSWORD.toCharArray());
        }
        return loaded;
    }

    private byte[] certificate(KeyStore loaded, String alias) throws IOException, GeneralSecurityException {
        var certificate = loaded.getCertificate(alias);
        if (certificate == null) {
            throw new IOException("it has no certificate '" + alias + "'");
        }
        return certificate.getEncoded();
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }

    private void keytool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // half the time to start
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("keytool does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped");
        }
        if (process.exitValue() != 0) {
            throw new IOException(said.lines().findFirst().orElse("keytool failed"));
        }
    }
}

package dev.lightpath.serving.tls;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.CertificateUtils;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PEM files of TLS that are taken again once one of them has changed and all of them fit. Otherwise what was read
 * before stays in use, and the log says so once. The reloading of gRPC is not used: it takes no period below a minute.
 */
public final class TlsFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
    private static final int RELOAD_SECONDS = 10;

    /** Reads all files. */
    private interface Reading {
        void run() throws IOException, GeneralSecurityException;
    }

    private final List<Path> files;
    private final Reading reading;
    private List<FileTime> taken;
    private String told = "";

    private TlsFiles(List<Path> files, Reading reading) throws IOException, GeneralSecurityException {
        this.files = files;
        this.reading = reading;
        this.taken = changes();
        reading.run();
    }

    /** When the first certificate of a PEM file expires, in seconds since 1970; not a number if none can be read. */
    public static double expires(Path certificate) {
        try (InputStream pem = Files.newInputStream(certificate)) {
            X509Certificate first =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
            return first.getNotAfter().toInstant().getEpochSecond();
        } catch (IOException | CertificateException unreadable) {
            return Double.NaN;
        }
    }

    /**
     * The certificate to show, and its key.
     *
     * @throws IOException if a file cannot be read now
     * @throws GeneralSecurityException if one is not what it should be
     */
    public static AdvancedTlsX509KeyManager identity(Path certificate, Path key, ScheduledExecutorService timers)
            throws IOException, GeneralSecurityException {
        AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
        follow(
                List.of(certificate, key),
                () -> {
                    X509Certificate[] certificates = certificates(certificate);
                    PrivateKey own = key(key);
                    requirePair(certificate, certificates, key, own);
                    keys.updateIdentityCredentials(certificates, own);
                },
                timers);
        return keys;
    }

    private static X509Certificate[] certificates(Path file) throws IOException, CertificateException {
        try (InputStream pem = Files.newInputStream(file)) {
            X509Certificate[] certificates = CertificateUtils.getX509Certificates(pem);
            if (certificates.length > 0) {
                return certificates;
            }
        } catch (CertificateException none) {
            // told below: the library names no file
        }
        throw new CertificateException(file + " holds no certificate in PEM (BEGIN CERTIFICATE)");
    }

    private static PrivateKey key(Path file) throws IOException, InvalidKeyException {
        try (InputStream pem = Files.newInputStream(file)) {
            return CertificateUtils.getPrivateKey(pem);
        } catch (GeneralSecurityException | IllegalArgumentException none) {
            throw new InvalidKeyException(
                    file + " holds no key that can be used: it must be of RSA or EC, in PEM without a password, as"
                            + " `openssl pkcs8 -topk8 -nocrypt` writes it (BEGIN PRIVATE KEY)",
                    none);
        }
    }

    /** While a pair is replaced, one file of it may still be the old one. */
    private static void requirePair(Path certificate, X509Certificate[] certificates, Path key, PrivateKey own)
            throws GeneralSecurityException {
        byte[] text = {1};
        Signature signature = Signature.getInstance(
                switch (own.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> own.getAlgorithm();
                });
        signature.initSign(own);
        signature.update(text);
        byte[] signed = signature.sign();
        try {
            signature.initVerify(certificates[0].getPublicKey());
            signature.update(text);
            if (signature.verify(signed)) {
                return;
            }
        } catch (InvalidKeyException | SignatureException ofAnotherKind) {
            // told below
        }
        throw new CertificateException(key + " is not the key of the certificate in " + certificate);
    }

    /**
     * Lets a manager trust the authorities of a file.
     *
     * @throws IOException if it cannot be read now
     * @throws GeneralSecurityException if it holds no certificates
     */
    public static void trust(AdvancedTlsX509TrustManager manager, Path authorities, ScheduledExecutorService timers)
            throws IOException, GeneralSecurityException {
        follow(List.of(authorities), () -> manager.updateTrustCredentials(certificates(authorities)), timers);
    }

    /**
     * Trusts clients whose certificate is of the authorities of a file, whatever their address is.
     *
     * @throws IOException if it cannot be read now
     * @throws GeneralSecurityException if it holds no certificates
     */
    public static AdvancedTlsX509TrustManager clients(Path authorities, ScheduledExecutorService timers)
            throws IOException, GeneralSecurityException {
        AdvancedTlsX509TrustManager clients = AdvancedTlsX509TrustManager.newBuilder()
                .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_ONLY_VERIFICATION)
                .build();
        trust(clients, authorities, timers);
        return clients;
    }

    /**
     * For connections where both sides show a certificate, other than those of gRPC.
     *
     * @throws IOException if a file cannot be read now
     * @throws GeneralSecurityException if one is not what it should be
     */
    public static SSLContext context(Path certificate, Path key, Path authorities, ScheduledExecutorService timers)
            throws IOException, GeneralSecurityException {
        AdvancedTlsX509TrustManager trusted = clients(authorities, timers);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {identity(certificate, key, timers)}, new TrustManager[] {trusted}, null);
        return context;
    }

    private static void follow(List<Path> files, Reading reading, ScheduledExecutorService timers)
            throws IOException, GeneralSecurityException {
        TlsFiles followed = new TlsFiles(files, reading);
        var unused = timers.scheduleWithFixedDelay(followed::look, RELOAD_SECONDS, RELOAD_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            List<FileTime> now = changes();
            if (now.equals(taken)) {
                return;
            }
            reading.run();
            taken = now;
            told = "";
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            String problem = String.valueOf(e.getMessage());
            if (!problem.equals(told)) {
                told = problem;
                LOG.atWarn()
                        .addKeyValue("files", files)
                        .addKeyValue("problem", problem)
                        .log("changed files of TLS cannot be used; those read before stay in use");
            }
        }
    }

    private List<FileTime> changes() throws IOException {
        List<FileTime> changes = new ArrayList<>();
        for (Path file : files) {
            changes.add(Files.getLastModifiedTime(file));
        }
        return changes;
    }
}

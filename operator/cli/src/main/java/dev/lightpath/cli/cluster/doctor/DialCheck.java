package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.cli.cluster.access.TlsFailure;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Drivers answer where this command runs, with the operator's certificate: connection, TLS and the first frame of
 * HTTP/2. No call is made.
 */
final class DialCheck {
    private static final int MILLIS = 5_000;
    private static final char[] NO_PASSWORD = {};
    private static final int SETTINGS = 4;
    /** What an HTTP/2 client says first (RFC 9113, section 3.4), with an empty SETTINGS frame. */
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

    private static final int FRAME_HEADER = 9;
    private static final int FRAME_TYPE = 3;

    private DialCheck() {}

    /**
     * Takes up to five seconds for each driver that does not answer.
     *
     * @param secrets by namespace/name, as {@link CertificateCheck} has them
     */
    static Diagnosis of(Collection<DriverUse> uses, Map<String, Optional<Secret>> secrets, String operatorNamespace) {
        List<Finding> findings = new ArrayList<>();
        Set<String> dialled = new LinkedHashSet<>();
        for (DriverUse use : uses) {
            if (dialled.add(use.endpoint() + " " + use.secret().orElse(""))) {
                Optional<Secret> secret = CertificateCheck.clientSecret(use, operatorNamespace)
                        .flatMap(name -> secrets.getOrDefault(name, Optional.empty()));
                if (use.secret().isPresent() && secret.isEmpty()) {
                    findings.add(Finding.warning(
                            use.where(),
                            "its driver " + use.endpoint() + " was not called: there is no Secret to call it with",
                            "see the check certificates"));
                } else {
                    dial(use, secret).ifPresent(findings::add);
                }
            }
        }
        return new Diagnosis("dial", dialled.size() + " drivers answer", findings);
    }

    private static Optional<Finding> dial(DriverUse use, Optional<Secret> secret) {
        try (Socket socket = connect(use)) {
            if (secret.isPresent()) {
                try (SSLSocket secure = (SSLSocket) context(secret.get())
                        .getSocketFactory()
                        .createSocket(socket, use.serverName().orElse(use.host()), use.port(), true)) {
                    SSLParameters parameters = secure.getSSLParameters();
                    parameters.setEndpointIdentificationAlgorithm("HTTPS");
                    parameters.setApplicationProtocols(new String[] {"h2"});
                    secure.setSSLParameters(parameters);
                    secure.startHandshake();
                    return greet(use, secure);
                }
            }
            return greet(use, socket);
        } catch (UnknownHostException e) {
            return Optional.of(wrong(
                    use,
                    "is a name that cannot be resolved here",
                    "run the doctor in the cluster, or correct endpoint"));
        } catch (IOException e) {
            return Optional.of(TlsFailure.line(e)
                    .map(why -> wrong(use, why, "see the check certificates, and the driver's own files"))
                    .orElseGet(() -> wrong(
                            use, "does not answer: " + e.getMessage(), "see its pod, its Secret and NetworkPolicies")));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.of(wrong(
                    use, "cannot be called with the Secret " + use.secret().orElse(""), "see the check certificates"));
        }
    }

    private static Socket connect(DriverUse use) throws IOException {
        Socket socket = new Socket();
        try {
            InetSocketAddress address = new InetSocketAddress(use.host(), use.port());
            if (address.isUnresolved()) {
                throw new UnknownHostException(use.host());
            }
            socket.connect(address, MILLIS);
            socket.setSoTimeout(MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** A server that refuses the certificate says so after the handshake, and may have hung up by then. */
    private static Optional<Finding> greet(DriverUse use, Socket socket) throws IOException {
        IOException hungUp = null;
        try {
            socket.getOutputStream().write(PREFACE);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            hungUp = e;
        }
        byte[] header = socket.getInputStream().readNBytes(FRAME_HEADER);
        if (hungUp != null) {
            throw hungUp;
        }
        return header.length == FRAME_HEADER && header[FRAME_TYPE] == SETTINGS
                ? Optional.empty()
                : Optional.of(wrong(use, "answers, but speaks no gRPC", "correct driver.endpoint"));
    }

    private static Finding wrong(DriverUse use, String what, String todo) {
        return Finding.wrong(use.where(), "its driver " + use.endpoint() + " " + what, todo);
    }

    private static SSLContext context(Secret secret) throws GeneralSecurityException, IOException {
        KeyStore identity = KeyStore.getInstance("PKCS12");
        identity.load(null, NO_PASSWORD);
        identity.setKeyEntry("client", key(secret), NO_PASSWORD, certificates(secret, "tls.crt"));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(identity, NO_PASSWORD);
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, NO_PASSWORD);
        for (Certificate authority : certificates(secret, "ca.crt")) {
            authorities.setCertificateEntry("ca" + authorities.size(), authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static Certificate[] certificates(Secret secret, String name) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(data(secret, name)))
                .toArray(Certificate[]::new);
    }

    /** PKCS#8, as the operator needs it too. */
    private static PrivateKey key(Secret secret) throws GeneralSecurityException {
        String pem = new String(data(secret, "tls.key"), StandardCharsets.US_ASCII);
        byte[] bytes = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException notOfACurve) {
            return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(bytes));
        }
    }

    private static byte[] data(Secret secret, String name) throws GeneralSecurityException {
        String text = secret.getData() == null ? null : secret.getData().get(name);
        if (text == null) {
            throw new GeneralSecurityException("no " + name);
        }
        return Base64.getMimeDecoder().decode(text);
    }
}

package dev.lightpath.app.measuring;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads Secrets that fabrics name for their queries, from the operator's own namespace and from nowhere else. */
final class AccessReader {
    private static final String TOKEN = "[\\x21-\\x7e]{1,16384}";

    private final KubernetesClient client;
    private final String namespace;

    /** @param namespace the operator's own: Secrets are read from nowhere else */
    AccessReader(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /**
     * What a Secret holds.
     *
     * @throws Unusable saying what is wrong with it
     * @throws KubernetesClientException while the API server does not answer
     */
    Access read(@Nullable String secretName) throws Unusable {
        if (secretName == null) {
            return Access.PLAIN;
        }
        String source = "Secret " + namespace + "/" + secretName;
        @Nullable Secret secret;
        try {
            secret =
                    client.secrets().inNamespace(namespace).withName(secretName).get();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            throw new Unusable(
                    source
                            + " may not be read by the operator: allow it by a Role with its name (docs/operating.md, Certificates)");
        }
        if (secret == null) {
            throw new Unusable(source + " is missing: create it with token, ca.crt or both");
        }
        Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
        Optional<String> token = text(data, "token");
        Optional<String> authorities = text(data, "ca.crt");
        if (token.isEmpty() && authorities.isEmpty()) {
            throw new Unusable(source + " has neither token nor ca.crt");
        }
        if (token.filter(held -> !held.matches(TOKEN)).isPresent()) {
            throw new Unusable(source + ": token is no line of printable characters");
        }
        try {
            return new Access(
                    token, authorities.isEmpty() ? Optional.empty() : Optional.of(trusting(authorities.get())));
        } catch (GeneralSecurityException | IOException e) {
            throw new Unusable(source + ": ca.crt holds no PEM certificates");
        }
    }

    private static Optional<String> text(Map<String, String> data, String key) {
        return Optional.ofNullable(data.get(key))
                .map(encoded -> new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8).strip())
                .filter(text -> !text.isEmpty());
    }

    static SSLContext trusting(String authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int each = 0;
        for (Certificate authority : CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(authorities.getBytes(StandardCharsets.US_ASCII)))) {
            store.setCertificateEntry("authority-" + each++, authority);
        }
        if (each == 0) {
            throw new GeneralSecurityException("no certificate");
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trusted.getTrustManagers(), null);
        return tls;
    }

    /** A Secret with which nobody can be asked. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String why) {
            super(why);
        }
    }
}

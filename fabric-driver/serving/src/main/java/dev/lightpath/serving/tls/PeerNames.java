package dev.lightpath.serving.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The subject alternative names of a peer's certificate; none where it has no certificate, or one that is not
 * understood.
 */
public record PeerNames(List<String> dns, List<String> uris) {
    /** Kinds of names in a certificate, RFC 5280. */
    private static final int DNS_NAME = 2;

    private static final int URI = 6;

    private static final PeerNames NONE = new PeerNames(List.of(), List.of());

    public PeerNames {
        dns = List.copyOf(dns);
        uris = List.copyOf(uris);
    }

    /** Names of other kinds are left out. */
    public static PeerNames of(@Nullable SSLSession session) {
        try {
            return session != null && session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? of(certificate.getSubjectAlternativeNames())
                    : NONE;
        } catch (SSLPeerUnverifiedException | CertificateParsingException nameless) {
            return NONE;
        }
    }

    private static PeerNames of(@Nullable Collection<List<?>> alternatives) {
        List<String> dns = new ArrayList<>();
        List<String> uris = new ArrayList<>();
        if (alternatives != null) {
            for (List<?> each : alternatives) {
                if (each.get(0).equals(DNS_NAME)) {
                    dns.add(String.valueOf(each.get(1)));
                } else if (each.get(0).equals(URI)) {
                    uris.add(String.valueOf(each.get(1)));
                }
            }
        }
        return new PeerNames(dns, uris);
    }
}

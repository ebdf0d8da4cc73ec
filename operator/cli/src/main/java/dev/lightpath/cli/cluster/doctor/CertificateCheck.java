package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.planner.words.Words;
import dev.lightpath.reading.node.AgentTemplate;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The Secrets by which operator and drivers know each other hold certificates that fit, for long enough. */
final class CertificateCheck {
    /** By this name drivers know the operator (deploy/kubernetes/driver/driver.yaml). */
    private static final String OPERATOR_NAME = "lightpath-operator";

    /** Namespace of the agents of nodes (deploy/kubernetes/agent). */
    private static final String AGENTS = "lightpath-agents";

    private static final Duration SOON = Duration.ofDays(30);
    private static final int DNS_NAME = 2;
    private static final int MOST_NAMED = 5;
    private static final String RENEW = "renew it (docs/operating.md, \"Certificates of operator and driver\")";

    private final Map<String, Optional<Secret>> secrets;
    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();

    private CertificateCheck(Map<String, Optional<Secret>> secrets, Instant now) {
        this.secrets = secrets;
        this.now = now;
    }

    /**
     * The Secret of a driver's own certificate, as the chart and {@code lightpath certificates} name it, as
     * namespace/name. Agents that share a certificate have it by the name in it.
     */
    static Optional<String> serverSecret(DriverUse use) {
        return use.agent()
                ? use.serverName().map(name -> AGENTS + "/" + name + "-tls")
                : use.service().map(service -> service.namespace() + "/" + service.name() + "-tls");
    }

    /** The Secret of the operator's certificate for a driver, as namespace/name. */
    static Optional<String> clientSecret(DriverUse use, String operatorNamespace) {
        return use.secret().map(name -> operatorNamespace + "/" + name);
    }

    /**
     * @param plaintext who speaks to drivers without TLS, by endpoint
     * @param secrets by namespace/name; empty for one that is not there, absent for one that was not looked at
     * @param operatorNamespace where client certificates lie
     */
    static Diagnosis of(
            Collection<DriverUse> uses,
            SortedMap<String, List<String>> plaintext,
            Map<String, Optional<Secret>> secrets,
            String operatorNamespace,
            Instant now) {
        CertificateCheck check = new CertificateCheck(secrets, now);
        Set<String> looked = new TreeSet<>();
        for (DriverUse use : uses) {
            Optional<String> client = clientSecret(use, operatorNamespace);
            if (client.isEmpty()) {
                continue;
            }
            if (looked.add(client.get())) {
                check.client(client.get(), use.where());
            }
            serverSecret(use).ifPresent(server -> {
                if (looked.add(server + " " + use.serverName().orElse(use.host()))) {
                    check.server(server, use, client.get());
                }
            });
        }
        plaintext.forEach((endpoint, users) -> check.findings.add(plaintext(endpoint, users)));
        return new Diagnosis("certificates", looked.isEmpty() ? "none are named" : "valid", check.findings);
    }

    private static Finding plaintext(String endpoint, List<String> users) {
        return Finding.warning(
                users.getFirst(),
                "reaches its " + (AgentTemplate.of(endpoint).isPresent() ? "agents " : "driver ") + endpoint
                        + " without TLS"
                        + (users.size() == 1
                                ? ""
                                : (users.size() == 2 ? ", and so does " : ", and so do ")
                                        + Words.first(MOST_NAMED, users.subList(1, users.size()))),
                "write driver.tls.secretName (docs/security.md)");
    }

    private void client(String name, String user) {
        certificate(name, "named by " + user, true).ifPresent(certificate -> {
            if (!names(certificate).contains(OPERATOR_NAME)) {
                findings.add(Finding.warning(
                        "secret/" + name,
                        "is for " + names(certificate) + ", and drivers as installed know the operator as "
                                + OPERATOR_NAME,
                        "use such a certificate, or change tls.roles of the driver"));
            }
        });
    }

    private void server(String name, DriverUse use, String client) {
        certificate(name, "of the driver that " + use.where() + " names", false).ifPresent(certificate -> {
            String wanted = use.serverName().orElse(use.host());
            if (!names(certificate).contains(wanted)) {
                findings.add(Finding.wrong(
                        "secret/" + name,
                        "is for " + names(certificate) + ", not for " + wanted + ", which " + use.where() + " calls",
                        "issue it for that name, or correct driver.endpoint or driver.tls.serverName"));
            }
            Optional<Secret> trust = Objects.requireNonNullElse(secrets.get(client), Optional.<Secret>empty());
            trust.flatMap(secret -> read(secret, "ca.crt")).ifPresent(authority -> {
                if (!isSignedBy(certificate, authority)) {
                    findings.add(Finding.wrong(
                            "secret/" + name,
                            "is not signed by the authority in ca.crt of Secret " + client,
                            "issue both by one authority"));
                }
            });
        });
    }

    /** The certificate of a Secret, if it can be used. */
    private Optional<X509Certificate> certificate(String name, String what, boolean isClient) {
        Optional<Secret> secret = secrets.get(name);
        String where = "secret/" + name;
        if (secret == null) {
            findings.add(Finding.warning(
                    where,
                    "was not looked at: you may not read it",
                    "ask somebody who may read Secrets there to run the doctor"));
            return Optional.empty();
        }
        if (secret.isEmpty()) {
            findings.add(
                    isClient
                            ? Finding.wrong(
                                    where, "is not there, " + what, "make it: kubectl lightpath certificates, or helm")
                            : Finding.warning(
                                    where,
                                    "is not there; it is expected " + what,
                                    "ignore this if the driver has its own"));
            return Optional.empty();
        }
        for (String key : List.of("tls.crt", "tls.key", "ca.crt")) {
            if (!Objects.requireNonNullElse(secret.get().getData(), Map.<String, String>of())
                    .containsKey(key)) {
                findings.add(Finding.wrong(where, "has no " + key, RENEW));
                return Optional.empty();
            }
        }
        Optional<X509Certificate> certificate = read(secret.get(), "tls.crt");
        Optional<X509Certificate> authority = read(secret.get(), "ca.crt");
        if (certificate.isEmpty() || authority.isEmpty()) {
            findings.add(Finding.wrong(
                    where, (certificate.isEmpty() ? "tls.crt" : "ca.crt") + " is no certificate in PEM", RENEW));
            return Optional.empty();
        }
        judgeBegin(where, certificate.get());
        judgeEnd(where, "", certificate.get());
        judgeEnd(where, "its authority (ca.crt) ", authority.get());
        if (!isSignedBy(certificate.get(), authority.get())) {
            findings.add(Finding.wrong(where, "its tls.crt is not signed by its ca.crt", RENEW));
        }
        return certificate;
    }

    private void judgeBegin(String where, X509Certificate certificate) {
        Instant begin = certificate.getNotBefore().toInstant();
        if (begin.isAfter(now)) {
            findings.add(Finding.wrong(where, "is not valid before " + begin, "check the clock, or " + RENEW));
        }
    }

    private void judgeEnd(String where, String of, X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        if (end.isBefore(now)) {
            findings.add(Finding.wrong(where, of + "expired at " + end, RENEW));
        } else if (end.isBefore(now.plus(SOON))) {
            findings.add(Finding.warning(where, of + "expires at " + end, RENEW));
        }
    }

    static Optional<X509Certificate> read(Secret secret, String key) {
        @Nullable
        String text = secret.getData() == null ? null : secret.getData().get(key);
        if (text == null) {
            return Optional.empty();
        }
        try {
            byte[] pem = Base64.getMimeDecoder().decode(text);
            return Optional.of((X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Its DNS names. */
    private static Set<String> names(X509Certificate certificate) {
        try {
            return Objects.requireNonNullElse(certificate.getSubjectAlternativeNames(), List.<List<?>>of()).stream()
                    .filter(name -> Integer.valueOf(DNS_NAME).equals(name.getFirst()))
                    .map(name -> String.valueOf(name.get(1)))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (CertificateParsingException e) {
            return Set.of();
        }
    }
}

package dev.lightpath.cli.cluster.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScrubberTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** What must not be in any text, wherever it stood. */
    private static final String PLANTED = "hunter2Hunter2hunter2";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password=" + PLANTED,
                "login failed, PASSWORD: '" + PLANTED + "' was refused",
                "db_passwd = \"" + PLANTED + "\"",
                "{\"token\":\"" + PLANTED + "\"}",
                "{\"message\":\"sent {\\\"apiKey\\\": \\\"" + PLANTED + "\\\"}\"}",
                "Authorization: Bearer " + PLANTED,
                "authorization: basic " + PLANTED + "==",
                "https://user:" + PLANTED + "@registry.example/path",
                "--registry-token " + PLANTED,
                "train.py --hf_token " + PLANTED + " --lr 3",
                "login -password '" + PLANTED + "'",
                "secretKey: " + PLANTED,
                "--password='" + PLANTED + "'",
                "WANDB_API_KEY=" + PLANTED + " python train.py",
                "AWS_SECRET_ACCESS_KEY=" + PLANTED,
                "-----BEGIN EC PRIVATE KEY-----\n" + PLANTED + "\n-----END EC PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\n" + PLANTED,
                "eyJhbGciOiJSUzI1NiJ9.eyJ" + PLANTED + ".sig" + PLANTED,
            })
    void whatLooksSecretIsTakenOutOfATextAndTheRestStays(String text) {
        String clean = Scrubber.text("before\n" + text + "\nafter");
        assertThat(clean).doesNotContain(PLANTED).contains(Scrubber.REMOVED).startsWith("before\n");
        assertThat(Scrubber.text(clean)).as("once is enough").isEqualTo(clean);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slice=default/llm-ring-a-1-57kr8 revision=2 groups=2 why=n0 in for n1, 1 of 2 groups changed",
                "secretName: lightpath-driver-client",
                "lightpath_driver_change_seconds_bucket{outcome=\"APPLIED\",le=\"0.1\"} 3 # {trace_id=\"9b7e\"}",
                "sha256:0f343b0931126a20f133d67c2b018a3b",
                "the operator asks for a token",
                "a well-known-token is read",
                "a secretKeyRef: of a container",
                "http://10.0.0.1:8080/view",
            })
    void whatIsNoSecretStays(String text) {
        assertThat(Scrubber.text(text)).isEqualTo(text);
    }

    @Test
    void cleanJsonStaysJson() throws IOException {
        String clean =
                Scrubber.text("{\"a\": {\"token\": \"" + PLANTED + "\", \"b\": [\"password=" + PLANTED + "\"]}}");
        assertThat(JSON.readTree(clean).at("/a/token").asText()).isEqualTo(Scrubber.REMOVED);
    }

    @Test
    void variablesAndSecretsLoseTheirValues() throws IOException {
        ObjectNode pod = (ObjectNode) JSON.readTree("""
                {"kind": "Pod",
                 "metadata": {"name": "p", "managedFields": [{"f": "%1$s"}],
                   "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "%1$s", "kept": "yes",
                     "example.com/api-token": "%1$s", "dbPassword": "%1$s", "HF_TOKEN": "%1$s"}},
                 "spec": {"containers": [{"name": "c", "env": [
                     {"name": "HARMLESS", "value": "%1$s"},
                     {"name": "FROM", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
                   "args": ["--token", "%1$s", "--nodes", "4", "--wandb_api_key", "%1$s", "-token", "%1$s", "--key=%1$s", "password=%1$s"]}]}}
                """.formatted(PLANTED));
        JsonNode clean = Scrubber.object(pod);
        assertThat(clean.toString().replace("--key=" + PLANTED, "")).doesNotContain(PLANTED);
        assertThat(clean.at("/metadata/annotations/kept").asText()).isEqualTo("yes");
        assertThat(clean.at("/spec/containers/0/env/1/valueFrom/secretKeyRef/key")
                        .asText())
                .isEqualTo("k");
        assertThat(clean.at("/spec/containers/0/args/3").asText()).isEqualTo("4");
        JsonNode secret = Scrubber.object(
                (ObjectNode) JSON.readTree("{\"kind\":\"Secret\",\"data\":{\"k\":\"" + PLANTED + "\"}}"));
        assertThat(secret.at("/data/k").asText()).isEqualTo(Scrubber.REMOVED);
    }

    /** A tenant may write a megabyte of anything: the time is linear in it. */
    @Test
    @Timeout(60)
    void hostileTextsTakeNoLongerThanOthers() {
        for (String piece : List.of(
                "a",
                "eyJ",
                "--",
                "token",
                "token ",
                "token=\"",
                "://",
                "bearer ",
                "\\",
                "\"",
                "-----BEGIN PRIVATE KEY-----")) {
            assertThat(Scrubber.text(piece.repeat((1 << 20) / piece.length()))).isNotNull();
        }
    }

    /** Wherever in a random object a value of a secret stands, by its name or by its form, it is gone. */
    @Test
    void plantedSecretsAreFoundInRandomObjects() {
        long seed = Long.getLong("lightpath.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int world = 0; world < 2000; world++) {
            ObjectNode object = random(random, 4);
            assertThat(Scrubber.object(object).toString()).as("seed " + seed).doesNotContain(PLANTED);
        }
    }

    private static ObjectNode random(Random random, int depth) {
        ObjectNode object = JSON.createObjectNode();
        for (int field = 0; field < 1 + random.nextInt(4); field++) {
            String name = "f" + random.nextInt(100);
            switch (random.nextInt(depth == 0 ? 4 : 6)) {
                case 0 ->
                    object.put(
                            List.of("password", "token", "apiKey", "secret", "HF_TOKEN", "a.example/login-password")
                                    .get(random.nextInt(6)),
                            PLANTED);
                case 1 ->
                    object.set(
                            "env",
                            JSON.createArrayNode()
                                    .add(JSON.createObjectNode()
                                            .put("name", "X")
                                            .put("value", PLANTED)));
                case 2 -> object.put(name, "x password: " + PLANTED + " y");
                case 3 -> object.set(name, arguments(random));
                case 4 -> object.set(name, random(random, depth - 1));
                default -> object.set(name, JSON.createArrayNode().add(random(random, depth - 1)));
            }
        }
        return object;
    }

    private static ArrayNode arguments(Random random) {
        ArrayNode arguments = JSON.createArrayNode().add("train.py");
        return random.nextBoolean()
                ? arguments
                        .add(random.nextBoolean() ? "--wandb-api-key" : "--wandb_api_key")
                        .add(PLANTED)
                : arguments.add("--hf-token=" + PLANTED);
    }
}

package dev.lightpath.driver.netconf;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.security.SecurityUtils;

/**
 * Private keys in files. They are read before there is a connection: what is wrong with a file is no news of the
 * device.
 */
final class SshKeys {
    private static final String ALLOWED = "allowed are keys of ECDSA or RSA without a passphrase";

    private SshKeys() {}

    /**
     * The keys of a file.
     *
     * @throws LostException with one line, when it holds none that can be used
     */
    static List<KeyPair> read(Path file) throws LostException {
        AtomicBoolean encrypted = new AtomicBoolean();
        FilePasswordProvider none = (session, resource, attempt) -> {
            encrypted.set(true);
            return null;
        };
        List<KeyPair> keys = new ArrayList<>();
        String why = "it holds no private key";
        try (var in = Files.newInputStream(file)) {
            Iterable<KeyPair> found =
                    SecurityUtils.loadKeyPairIdentities(null, NamedResource.ofName(file.toString()), in, none);
            if (found != null) {
                found.forEach(keys::add);
            }
        } catch (IOException | GeneralSecurityException e) {
            why = OneLine.of(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // of what parses it; its words may repeat the key
            why = "it is damaged";
        }
        if (keys.isEmpty()) {
            throw new LostException("the key in " + file + " cannot be used: "
                    + (encrypted.get() ? "it has a passphrase" : why) + "; " + ALLOWED);
        }
        return keys;
    }
}

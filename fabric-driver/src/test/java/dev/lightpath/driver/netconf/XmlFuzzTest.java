package dev.lightpath.driver.netconf;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.fuzz.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What a device may send. */
@Isolated("the heap that it measures is that of the whole process")
class XmlFuzzTest {
    private static final List<byte[]> SEEDS = Fuzz.texts(
            "<?xml version=\"1.0\"?><rpc-reply message-id=\"1\"><data><cross-connects xmlns=\"a\"><pair><ingress>1"
                    + "</ingress><egress>2</egress></pair></cross-connects></data></rpc-reply>]]>]]>",
            "\n#5\n<rpc \n#11\nmessage-id=\n##\n",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;<![CDATA[d]]><!-- e --></a>]]>]]>");

    @Test
    void documents() throws Exception {
        Fuzz.read("netconf-xml", SEEDS, LostException.class, Xml::read);
    }

    @Test
    void framings() throws Exception {
        for (boolean chunks : new boolean[] {false, true}) {
            Fuzz.read("netconf-framing-" + chunks, SEEDS, LostException.class, bytes -> {
                Framing framing = new Framing(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream());
                if (chunks) {
                    framing.useChunks();
                }
                try {
                    while (true) {
                        var unused = framing.read();
                    }
                } catch (EOFException end) {
                    // where the input ends
                }
            });
        }
    }
}

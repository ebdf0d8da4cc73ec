package dev.lightpath.driver;

import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;

/** Changes that somebody else asks a switch for, in SONiC's words. */
final class GnmiSets {
    private GnmiSets() {}

    static SetRequest connect(String a, String b) {
        String id = a + "-" + b;
        return SetRequest.newBuilder()
                .addUpdate(Update.newBuilder()
                        .setPath(Path.newBuilder()
                                .addElem(PathElem.newBuilder().setName("sonic-ocs:sonic-ocs"))
                                .addElem(PathElem.newBuilder().setName("OCS_CROSS_CONNECT"))
                                .addElem(PathElem.newBuilder()
                                        .setName("OCS_CROSS_CONNECT_LIST")
                                        .putKey("cross_connect_id", id)))
                        .setVal(TypedValue.newBuilder()
                                .setJsonIetfVal(ByteString.copyFromUtf8("""
                                                {"sonic-ocs:OCS_CROSS_CONNECT_LIST":[{"cross_connect_id":"%s","a_side":"%s","b_side":"%s"}]}
                                                """.formatted(id, a, b)))))
                .build();
    }
}

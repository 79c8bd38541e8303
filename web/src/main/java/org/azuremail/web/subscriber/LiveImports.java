package org.azuremail.web.subscriber;

import java.util.Optional;
import org.azuremail.subscription.transfer.Imports;
import org.azuremail.subscription.transfer.SubscriberImport;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.web.live.LiveSource;
import org.azuremail.web.live.LiveState;
import org.springframework.stereotype.Component;

/** Imports as pages follow them. */
@Component
record LiveImports(Imports imports) implements LiveSource {

    @Override
    public String topic() {
        return "import";
    }

    @Override
    public Optional<LiveState> look(String id) {
        return ImportId.parse(id).flatMap(imports::find).map(LiveImports::state);
    }

    static LiveState state(SubscriberImport some) {
        String total = some.total() == null ? "-" : some.total().toString();
        return new LiveState(
                some.state().stored() + "." + total + "." + some.counts().rows(),
                some.state() != SubscriberImport.State.RUNNING);
    }
}

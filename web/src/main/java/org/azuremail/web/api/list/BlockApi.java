package org.azuremail.web.api.list;

import java.util.Map;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.block.Blocks;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The content of blocks. */
@RestController
@RequestMapping("/api/v1/blocks")
record BlockApi(Blocks blocks) {

    @GetMapping("/{name}")
    Items<Map<String, String>> one(
            @PathVariable String name,
            @RequestParam @Nullable String sort,
            @RequestParam(defaultValue = "descending") String order,
            Paging paging) {
        RequestFields fields = new RequestFields();
        paging.check(fields, Blocks.MAX);
        boolean ascending = "ascending".equals(order);
        if (!ascending && !"descending".equals(order)) {
            fields.refuse("order", "Use ascending or descending.");
        }
        fields.check();
        return blocks.show(name, sort, !ascending, paging.limit())
                .map(shown -> Items.all(shown.items(), item -> item))
                .orElseThrow(() -> RefusedCall.notFound("There is no block " + name + ", or it has no such field."));
    }
}

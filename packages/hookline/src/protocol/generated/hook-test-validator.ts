// @ts-nocheck
// Generated from the schemas in src/protocol by `npm run generate`.
"use strict";
export const hookTest = validate10;
const schema11 = {"type":"object","properties":{"cases":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"event":{"type":"string"},"input":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{}},"files":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"string"}},"env":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"string"}},"models":{"type":"array","items":{"type":"object","properties":{"when":{"type":"string"},"answer":{}},"required":["answer"],"additionalProperties":false}},"expect":{"type":"object","properties":{"decision":{"type":"object","properties":{"halt":{"type":"boolean"},"stopReason":{"type":["string","null"]},"blocked":{"type":"boolean"},"permission":{"anyOf":[{"type":"string","enum":["allow","deny","ask"]},{"type":"null"}]},"reason":{"type":["string","null"]},"interrupt":{"type":"boolean"},"updatedInput":{"anyOf":[{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{}},{"type":"null"}]},"updatedPermissions":{"anyOf":[{"type":"array","items":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{}}},{"type":"null"}]},"updatedToolOutput":{},"context":{"type":"array","items":{"type":"string"}},"contextFrom":{"type":"array","items":{"type":"object","properties":{"hook":{"type":"string"},"kind":{"type":"string","enum":["context","stdout"]}},"required":["hook","kind"],"additionalProperties":false}},"instructions":{"type":["string","null"]},"messages":{"type":"array","items":{"type":"object","properties":{"to":{"type":"string","enum":["model","user","verbose"]},"text":{"type":"string"},"hook":{"type":"string"}},"required":["to","text","hook"],"additionalProperties":false}}},"additionalProperties":false},"hooks":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"anyOf":[{"type":"string"},{"type":"object","properties":{"id":{"type":"string"},"verdict":{"type":"string","enum":["ran","matcher-miss","untrusted","policy-off","disabled","duplicate","invalid","unsupported","once-spent","backgrounded","not-reached"]},"planned":{"type":"boolean","const":true},"because":{"type":"string"},"scope":{"type":"string"},"file":{"type":["string","null"]},"line":{"type":["number","null"]},"matcher":{"type":["string","null"]},"type":{"type":["string","null"]},"command":{"type":"string"},"prompt":{"type":"string"},"outcome":{"type":"string","enum":["success","blocking","non_blocking_error","cancelled"]},"failed":{"type":"string"},"exitCode":{"type":["number","null"]},"signal":{"type":["string","null"]},"timedOut":{"type":"boolean"},"durationMs":{"type":"number"},"stdoutBytes":{"type":"number"},"stderrBytes":{"type":"number"},"truncated":{"type":"boolean"},"launcher":{"type":"string","enum":["pool","direct"]},"model":{"type":"string"},"inputTokens":{"type":"number"},"outputTokens":{"type":"number"},"turns":{"type":"number"},"attempts":{"type":"number"},"answer":{"anyOf":[{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{}},{"type":"null"}]},"warnings":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}]}},"texts":{"type":"object","properties":{"model":{"type":"array","items":{"type":"string"}},"user":{"type":"array","items":{"type":"string"}},"verbose":{"type":"array","items":{"type":"string"}}},"additionalProperties":false},"context":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}},"required":["name","event"],"additionalProperties":false}}},"required":["cases"],"additionalProperties":false};
const func2 = Object.prototype.hasOwnProperty;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.cases === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "cases"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "cases")){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.cases !== undefined){
let data0 = data.cases;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.name === undefined){
const err2 = {instancePath:instancePath+"/cases/" + i0,schemaPath:"#/properties/cases/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.event === undefined){
const err3 = {instancePath:instancePath+"/cases/" + i0,schemaPath:"#/properties/cases/items/required",keyword:"required",params:{missingProperty: "event"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key1 in data1){
if(!(((((((key1 === "name") || (key1 === "event")) || (key1 === "input")) || (key1 === "files")) || (key1 === "env")) || (key1 === "models")) || (key1 === "expect"))){
const err4 = {instancePath:instancePath+"/cases/" + i0,schemaPath:"#/properties/cases/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data1.name !== undefined){
if(typeof data1.name !== "string"){
const err5 = {instancePath:instancePath+"/cases/" + i0+"/name",schemaPath:"#/properties/cases/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.event !== undefined){
if(typeof data1.event !== "string"){
const err6 = {instancePath:instancePath+"/cases/" + i0+"/event",schemaPath:"#/properties/cases/items/properties/event/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data1.input !== undefined){
let data4 = data1.input;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key2 in data4){
const _errs13 = errors;
if(typeof key2 !== "string"){
const err7 = {instancePath:instancePath+"/cases/" + i0+"/input",schemaPath:"#/properties/cases/items/properties/input/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var valid4 = _errs13 === errors;
if(!valid4){
const err8 = {instancePath:instancePath+"/cases/" + i0+"/input",schemaPath:"#/properties/cases/items/properties/input/propertyNames",keyword:"propertyNames",params:{propertyName: key2}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/cases/" + i0+"/input",schemaPath:"#/properties/cases/items/properties/input/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data1.files !== undefined){
let data5 = data1.files;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
for(const key3 in data5){
const _errs18 = errors;
if(typeof key3 !== "string"){
const err10 = {instancePath:instancePath+"/cases/" + i0+"/files",schemaPath:"#/properties/cases/items/properties/files/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var valid5 = _errs18 === errors;
if(!valid5){
const err11 = {instancePath:instancePath+"/cases/" + i0+"/files",schemaPath:"#/properties/cases/items/properties/files/propertyNames",keyword:"propertyNames",params:{propertyName: key3}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
for(const key4 in data5){
if(typeof data5[key4] !== "string"){
const err12 = {instancePath:instancePath+"/cases/" + i0+"/files/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/cases/items/properties/files/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/cases/" + i0+"/files",schemaPath:"#/properties/cases/items/properties/files/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data1.env !== undefined){
let data7 = data1.env;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key5 in data7){
const _errs25 = errors;
if(typeof key5 !== "string"){
const err14 = {instancePath:instancePath+"/cases/" + i0+"/env",schemaPath:"#/properties/cases/items/properties/env/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var valid7 = _errs25 === errors;
if(!valid7){
const err15 = {instancePath:instancePath+"/cases/" + i0+"/env",schemaPath:"#/properties/cases/items/properties/env/propertyNames",keyword:"propertyNames",params:{propertyName: key5}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
for(const key6 in data7){
if(typeof data7[key6] !== "string"){
const err16 = {instancePath:instancePath+"/cases/" + i0+"/env/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/cases/items/properties/env/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/cases/" + i0+"/env",schemaPath:"#/properties/cases/items/properties/env/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data1.models !== undefined){
let data9 = data1.models;
if(Array.isArray(data9)){
const len1 = data9.length;
for(let i1=0; i1<len1; i1++){
let data10 = data9[i1];
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.answer === undefined){
const err18 = {instancePath:instancePath+"/cases/" + i0+"/models/" + i1,schemaPath:"#/properties/cases/items/properties/models/items/required",keyword:"required",params:{missingProperty: "answer"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
for(const key7 in data10){
if(!((key7 === "when") || (key7 === "answer"))){
const err19 = {instancePath:instancePath+"/cases/" + i0+"/models/" + i1,schemaPath:"#/properties/cases/items/properties/models/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data10.when !== undefined){
if(typeof data10.when !== "string"){
const err20 = {instancePath:instancePath+"/cases/" + i0+"/models/" + i1+"/when",schemaPath:"#/properties/cases/items/properties/models/items/properties/when/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/cases/" + i0+"/models/" + i1,schemaPath:"#/properties/cases/items/properties/models/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/cases/" + i0+"/models",schemaPath:"#/properties/cases/items/properties/models/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data1.expect !== undefined){
let data12 = data1.expect;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key8 in data12){
if(!((((key8 === "decision") || (key8 === "hooks")) || (key8 === "texts")) || (key8 === "context"))){
const err23 = {instancePath:instancePath+"/cases/" + i0+"/expect",schemaPath:"#/properties/cases/items/properties/expect/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data12.decision !== undefined){
let data13 = data12.decision;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
for(const key9 in data13){
if(!(func2.call(schema11.properties.cases.items.properties.expect.properties.decision.properties, key9))){
const err24 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data13.halt !== undefined){
if(typeof data13.halt !== "boolean"){
const err25 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/halt",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/halt/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data13.stopReason !== undefined){
let data15 = data13.stopReason;
if((typeof data15 !== "string") && (data15 !== null)){
const err26 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/stopReason",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/stopReason/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.decision.properties.stopReason.type}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data13.blocked !== undefined){
if(typeof data13.blocked !== "boolean"){
const err27 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/blocked",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/blocked/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data13.permission !== undefined){
let data17 = data13.permission;
const _errs50 = errors;
let valid14 = false;
const _errs51 = errors;
if(typeof data17 !== "string"){
const err28 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/permission",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/permission/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(!(((data17 === "allow") || (data17 === "deny")) || (data17 === "ask"))){
const err29 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/permission",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/permission/anyOf/0/enum",keyword:"enum",params:{allowedValues: schema11.properties.cases.items.properties.expect.properties.decision.properties.permission.anyOf[0].enum}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
var _valid0 = _errs51 === errors;
valid14 = valid14 || _valid0;
if(!valid14){
const _errs53 = errors;
if(data17 !== null){
const err30 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/permission",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/permission/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
var _valid0 = _errs53 === errors;
valid14 = valid14 || _valid0;
}
if(!valid14){
const err31 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/permission",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/permission/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
else {
errors = _errs50;
if(vErrors !== null){
if(_errs50){
vErrors.length = _errs50;
}
else {
vErrors = null;
}
}
}
}
if(data13.reason !== undefined){
let data18 = data13.reason;
if((typeof data18 !== "string") && (data18 !== null)){
const err32 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/reason",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/reason/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.decision.properties.reason.type}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data13.interrupt !== undefined){
if(typeof data13.interrupt !== "boolean"){
const err33 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/interrupt",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/interrupt/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data13.updatedInput !== undefined){
let data20 = data13.updatedInput;
const _errs60 = errors;
let valid15 = false;
const _errs61 = errors;
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
for(const key10 in data20){
const _errs63 = errors;
if(typeof key10 !== "string"){
const err34 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedInput",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedInput/anyOf/0/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key10};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
var valid16 = _errs63 === errors;
if(!valid16){
const err35 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedInput",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedInput/anyOf/0/propertyNames",keyword:"propertyNames",params:{propertyName: key10}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedInput",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedInput/anyOf/0/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
var _valid1 = _errs61 === errors;
valid15 = valid15 || _valid1;
if(!valid15){
const _errs66 = errors;
if(data20 !== null){
const err37 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedInput",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedInput/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
var _valid1 = _errs66 === errors;
valid15 = valid15 || _valid1;
}
if(!valid15){
const err38 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedInput",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedInput/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
else {
errors = _errs60;
if(vErrors !== null){
if(_errs60){
vErrors.length = _errs60;
}
else {
vErrors = null;
}
}
}
}
if(data13.updatedPermissions !== undefined){
let data21 = data13.updatedPermissions;
const _errs69 = errors;
let valid17 = false;
const _errs70 = errors;
if(Array.isArray(data21)){
const len2 = data21.length;
for(let i2=0; i2<len2; i2++){
let data22 = data21[i2];
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
for(const key11 in data22){
const _errs74 = errors;
if(typeof key11 !== "string"){
const err39 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedPermissions/" + i2,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedPermissions/anyOf/0/items/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key11};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
var valid20 = _errs74 === errors;
if(!valid20){
const err40 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedPermissions/" + i2,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedPermissions/anyOf/0/items/propertyNames",keyword:"propertyNames",params:{propertyName: key11}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedPermissions/" + i2,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedPermissions/anyOf/0/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
else {
const err42 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedPermissions",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedPermissions/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
var _valid2 = _errs70 === errors;
valid17 = valid17 || _valid2;
if(!valid17){
const _errs77 = errors;
if(data21 !== null){
const err43 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedPermissions",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedPermissions/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
var _valid2 = _errs77 === errors;
valid17 = valid17 || _valid2;
}
if(!valid17){
const err44 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/updatedPermissions",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/updatedPermissions/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
else {
errors = _errs69;
if(vErrors !== null){
if(_errs69){
vErrors.length = _errs69;
}
else {
vErrors = null;
}
}
}
}
if(data13.context !== undefined){
let data23 = data13.context;
if(Array.isArray(data23)){
const len3 = data23.length;
for(let i3=0; i3<len3; i3++){
if(typeof data23[i3] !== "string"){
const err45 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/context/" + i3,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/context/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
else {
const err46 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/context",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/context/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data13.contextFrom !== undefined){
let data25 = data13.contextFrom;
if(Array.isArray(data25)){
const len4 = data25.length;
for(let i4=0; i4<len4; i4++){
let data26 = data25[i4];
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.hook === undefined){
const err47 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/contextFrom/" + i4,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/contextFrom/items/required",keyword:"required",params:{missingProperty: "hook"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if(data26.kind === undefined){
const err48 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/contextFrom/" + i4,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/contextFrom/items/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
for(const key12 in data26){
if(!((key12 === "hook") || (key12 === "kind"))){
const err49 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/contextFrom/" + i4,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/contextFrom/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data26.hook !== undefined){
if(typeof data26.hook !== "string"){
const err50 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/contextFrom/" + i4+"/hook",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/contextFrom/items/properties/hook/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data26.kind !== undefined){
let data28 = data26.kind;
if(typeof data28 !== "string"){
const err51 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/contextFrom/" + i4+"/kind",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/contextFrom/items/properties/kind/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if(!((data28 === "context") || (data28 === "stdout"))){
const err52 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/contextFrom/" + i4+"/kind",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/contextFrom/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema11.properties.cases.items.properties.expect.properties.decision.properties.contextFrom.items.properties.kind.enum}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
}
else {
const err53 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/contextFrom/" + i4,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/contextFrom/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
else {
const err54 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/contextFrom",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/contextFrom/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data13.instructions !== undefined){
let data29 = data13.instructions;
if((typeof data29 !== "string") && (data29 !== null)){
const err55 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/instructions",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/instructions/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.decision.properties.instructions.type}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data13.messages !== undefined){
let data30 = data13.messages;
if(Array.isArray(data30)){
const len5 = data30.length;
for(let i5=0; i5<len5; i5++){
let data31 = data30[i5];
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
if(data31.to === undefined){
const err56 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/required",keyword:"required",params:{missingProperty: "to"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(data31.text === undefined){
const err57 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/required",keyword:"required",params:{missingProperty: "text"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(data31.hook === undefined){
const err58 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/required",keyword:"required",params:{missingProperty: "hook"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
for(const key13 in data31){
if(!(((key13 === "to") || (key13 === "text")) || (key13 === "hook"))){
const err59 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data31.to !== undefined){
let data32 = data31.to;
if(typeof data32 !== "string"){
const err60 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5+"/to",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/properties/to/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if(!(((data32 === "model") || (data32 === "user")) || (data32 === "verbose"))){
const err61 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5+"/to",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/properties/to/enum",keyword:"enum",params:{allowedValues: schema11.properties.cases.items.properties.expect.properties.decision.properties.messages.items.properties.to.enum}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data31.text !== undefined){
if(typeof data31.text !== "string"){
const err62 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5+"/text",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/properties/text/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data31.hook !== undefined){
if(typeof data31.hook !== "string"){
const err63 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5+"/hook",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/properties/hook/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
}
else {
const err64 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages/" + i5,schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
}
else {
const err65 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision/messages",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/properties/messages/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
}
else {
const err66 = {instancePath:instancePath+"/cases/" + i0+"/expect/decision",schemaPath:"#/properties/cases/items/properties/expect/properties/decision/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data12.hooks !== undefined){
let data35 = data12.hooks;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
for(const key14 in data35){
const _errs107 = errors;
if(typeof key14 !== "string"){
const err67 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key14};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
var valid29 = _errs107 === errors;
if(!valid29){
const err68 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/propertyNames",keyword:"propertyNames",params:{propertyName: key14}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
for(const key15 in data35){
let data36 = data35[key15];
const _errs111 = errors;
let valid31 = false;
const _errs112 = errors;
if(typeof data36 !== "string"){
const err69 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
var _valid3 = _errs112 === errors;
valid31 = valid31 || _valid3;
if(!valid31){
const _errs114 = errors;
if(data36 && typeof data36 == "object" && !Array.isArray(data36)){
for(const key16 in data36){
if(!(func2.call(schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties, key16))){
const err70 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key16}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
if(data36.id !== undefined){
if(typeof data36.id !== "string"){
const err71 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/id",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data36.verdict !== undefined){
let data38 = data36.verdict;
if(typeof data38 !== "string"){
const err72 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/verdict",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/verdict/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(!(((((((((((data38 === "ran") || (data38 === "matcher-miss")) || (data38 === "untrusted")) || (data38 === "policy-off")) || (data38 === "disabled")) || (data38 === "duplicate")) || (data38 === "invalid")) || (data38 === "unsupported")) || (data38 === "once-spent")) || (data38 === "backgrounded")) || (data38 === "not-reached"))){
const err73 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/verdict",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/verdict/enum",keyword:"enum",params:{allowedValues: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.verdict.enum}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
if(data36.planned !== undefined){
let data39 = data36.planned;
if(typeof data39 !== "boolean"){
const err74 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/planned",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/planned/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
if(true !== data39){
const err75 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/planned",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/planned/const",keyword:"const",params:{allowedValue: true}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
if(data36.because !== undefined){
if(typeof data36.because !== "string"){
const err76 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/because",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/because/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data36.scope !== undefined){
if(typeof data36.scope !== "string"){
const err77 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/scope",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/scope/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
if(data36.file !== undefined){
let data42 = data36.file;
if((typeof data42 !== "string") && (data42 !== null)){
const err78 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/file",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/file/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.file.type}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data36.line !== undefined){
let data43 = data36.line;
if((!(typeof data43 == "number")) && (data43 !== null)){
const err79 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/line",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/line/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.line.type}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
if(data36.matcher !== undefined){
let data44 = data36.matcher;
if((typeof data44 !== "string") && (data44 !== null)){
const err80 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/matcher",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/matcher/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.matcher.type}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data36.type !== undefined){
let data45 = data36.type;
if((typeof data45 !== "string") && (data45 !== null)){
const err81 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/type",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/type/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.type.type}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
if(data36.command !== undefined){
if(typeof data36.command !== "string"){
const err82 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/command",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/command/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
if(data36.prompt !== undefined){
if(typeof data36.prompt !== "string"){
const err83 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/prompt",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/prompt/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(data36.outcome !== undefined){
let data48 = data36.outcome;
if(typeof data48 !== "string"){
const err84 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/outcome",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/outcome/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if(!((((data48 === "success") || (data48 === "blocking")) || (data48 === "non_blocking_error")) || (data48 === "cancelled"))){
const err85 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/outcome",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/outcome/enum",keyword:"enum",params:{allowedValues: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.outcome.enum}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
if(data36.failed !== undefined){
if(typeof data36.failed !== "string"){
const err86 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/failed",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/failed/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
if(data36.exitCode !== undefined){
let data50 = data36.exitCode;
if((!(typeof data50 == "number")) && (data50 !== null)){
const err87 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/exitCode",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/exitCode/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.exitCode.type}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
if(data36.signal !== undefined){
let data51 = data36.signal;
if((typeof data51 !== "string") && (data51 !== null)){
const err88 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/signal",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/signal/type",keyword:"type",params:{type: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.signal.type}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
if(data36.timedOut !== undefined){
if(typeof data36.timedOut !== "boolean"){
const err89 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/timedOut",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/timedOut/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data36.durationMs !== undefined){
if(!(typeof data36.durationMs == "number")){
const err90 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/durationMs",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/durationMs/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
if(data36.stdoutBytes !== undefined){
if(!(typeof data36.stdoutBytes == "number")){
const err91 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/stdoutBytes",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/stdoutBytes/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
if(data36.stderrBytes !== undefined){
if(!(typeof data36.stderrBytes == "number")){
const err92 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/stderrBytes",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/stderrBytes/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
if(data36.truncated !== undefined){
if(typeof data36.truncated !== "boolean"){
const err93 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/truncated",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/truncated/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data36.launcher !== undefined){
let data57 = data36.launcher;
if(typeof data57 !== "string"){
const err94 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/launcher",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/launcher/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if(!((data57 === "pool") || (data57 === "direct"))){
const err95 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/launcher",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/launcher/enum",keyword:"enum",params:{allowedValues: schema11.properties.cases.items.properties.expect.properties.hooks.additionalProperties.anyOf[1].properties.launcher.enum}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
if(data36.model !== undefined){
if(typeof data36.model !== "string"){
const err96 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/model",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
if(data36.inputTokens !== undefined){
if(!(typeof data36.inputTokens == "number")){
const err97 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/inputTokens",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/inputTokens/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
if(data36.outputTokens !== undefined){
if(!(typeof data36.outputTokens == "number")){
const err98 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/outputTokens",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/outputTokens/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
if(data36.turns !== undefined){
if(!(typeof data36.turns == "number")){
const err99 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/turns",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/turns/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
if(data36.attempts !== undefined){
if(!(typeof data36.attempts == "number")){
const err100 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/attempts",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/attempts/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
if(data36.answer !== undefined){
let data63 = data36.answer;
const _errs170 = errors;
let valid33 = false;
const _errs171 = errors;
if(data63 && typeof data63 == "object" && !Array.isArray(data63)){
for(const key17 in data63){
const _errs173 = errors;
if(typeof key17 !== "string"){
const err101 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/answer",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/answer/anyOf/0/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key17};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
var valid34 = _errs173 === errors;
if(!valid34){
const err102 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/answer",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/answer/anyOf/0/propertyNames",keyword:"propertyNames",params:{propertyName: key17}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
}
else {
const err103 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/answer",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/answer/anyOf/0/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
var _valid4 = _errs171 === errors;
valid33 = valid33 || _valid4;
if(!valid33){
const _errs176 = errors;
if(data63 !== null){
const err104 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/answer",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/answer/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
var _valid4 = _errs176 === errors;
valid33 = valid33 || _valid4;
}
if(!valid33){
const err105 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/answer",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/answer/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
else {
errors = _errs170;
if(vErrors !== null){
if(_errs170){
vErrors.length = _errs170;
}
else {
vErrors = null;
}
}
}
}
if(data36.warnings !== undefined){
let data64 = data36.warnings;
if(Array.isArray(data64)){
const len6 = data64.length;
for(let i6=0; i6<len6; i6++){
if(typeof data64[i6] !== "string"){
const err106 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/warnings/" + i6,schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/warnings/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
}
else {
const err107 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1")+"/warnings",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/properties/warnings/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
}
else {
const err108 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
var _valid3 = _errs114 === errors;
valid31 = valid31 || _valid3;
}
if(!valid31){
const err109 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/additionalProperties/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
else {
errors = _errs111;
if(vErrors !== null){
if(_errs111){
vErrors.length = _errs111;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err110 = {instancePath:instancePath+"/cases/" + i0+"/expect/hooks",schemaPath:"#/properties/cases/items/properties/expect/properties/hooks/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
if(data12.texts !== undefined){
let data66 = data12.texts;
if(data66 && typeof data66 == "object" && !Array.isArray(data66)){
for(const key18 in data66){
if(!(((key18 === "model") || (key18 === "user")) || (key18 === "verbose"))){
const err111 = {instancePath:instancePath+"/cases/" + i0+"/expect/texts",schemaPath:"#/properties/cases/items/properties/expect/properties/texts/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key18}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
}
if(data66.model !== undefined){
let data67 = data66.model;
if(Array.isArray(data67)){
const len7 = data67.length;
for(let i7=0; i7<len7; i7++){
if(typeof data67[i7] !== "string"){
const err112 = {instancePath:instancePath+"/cases/" + i0+"/expect/texts/model/" + i7,schemaPath:"#/properties/cases/items/properties/expect/properties/texts/properties/model/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
}
else {
const err113 = {instancePath:instancePath+"/cases/" + i0+"/expect/texts/model",schemaPath:"#/properties/cases/items/properties/expect/properties/texts/properties/model/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
}
if(data66.user !== undefined){
let data69 = data66.user;
if(Array.isArray(data69)){
const len8 = data69.length;
for(let i8=0; i8<len8; i8++){
if(typeof data69[i8] !== "string"){
const err114 = {instancePath:instancePath+"/cases/" + i0+"/expect/texts/user/" + i8,schemaPath:"#/properties/cases/items/properties/expect/properties/texts/properties/user/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
}
else {
const err115 = {instancePath:instancePath+"/cases/" + i0+"/expect/texts/user",schemaPath:"#/properties/cases/items/properties/expect/properties/texts/properties/user/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
if(data66.verbose !== undefined){
let data71 = data66.verbose;
if(Array.isArray(data71)){
const len9 = data71.length;
for(let i9=0; i9<len9; i9++){
if(typeof data71[i9] !== "string"){
const err116 = {instancePath:instancePath+"/cases/" + i0+"/expect/texts/verbose/" + i9,schemaPath:"#/properties/cases/items/properties/expect/properties/texts/properties/verbose/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
}
else {
const err117 = {instancePath:instancePath+"/cases/" + i0+"/expect/texts/verbose",schemaPath:"#/properties/cases/items/properties/expect/properties/texts/properties/verbose/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
}
else {
const err118 = {instancePath:instancePath+"/cases/" + i0+"/expect/texts",schemaPath:"#/properties/cases/items/properties/expect/properties/texts/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
}
if(data12.context !== undefined){
let data73 = data12.context;
if(Array.isArray(data73)){
const len10 = data73.length;
for(let i10=0; i10<len10; i10++){
if(typeof data73[i10] !== "string"){
const err119 = {instancePath:instancePath+"/cases/" + i0+"/expect/context/" + i10,schemaPath:"#/properties/cases/items/properties/expect/properties/context/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
}
}
else {
const err120 = {instancePath:instancePath+"/cases/" + i0+"/expect/context",schemaPath:"#/properties/cases/items/properties/expect/properties/context/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
}
}
else {
const err121 = {instancePath:instancePath+"/cases/" + i0+"/expect",schemaPath:"#/properties/cases/items/properties/expect/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
}
else {
const err122 = {instancePath:instancePath+"/cases/" + i0,schemaPath:"#/properties/cases/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
}
}
else {
const err123 = {instancePath:instancePath+"/cases",schemaPath:"#/properties/cases/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
}
}
else {
const err124 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

